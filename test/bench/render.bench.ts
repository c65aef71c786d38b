/**
 * Measures each format of a report: every kind of address with every source of the registry in it, in both languages,
 * the formats in turn. Usage: bun test/bench/render.bench.ts. Exits 1 when the best time of the slowest report of a
 * format exceeds the budget; median and 99th percentile contain pauses of a busy machine.
 */
import { createPngPainter } from "#app";
import { renderMarkdown, renderReportCard, renderReportPage, renderTerminal, renderText } from "#render";
import { LANGUAGES, type Report } from "#report";
import { fullReport } from "../render/full_reports.ts";
import { ARCHETYPES, type ArchetypeId } from "../scoring/archetypes.ts";
import { createBudget, median, quantile } from "./harness.ts";

const WARM_UP = 12;
const ROUNDS = 24;

/** The most a format may take, in microseconds; the page contains the JSON as well. */
const BUDGETS_US = { text: 100, terminal: 100, markdown: 200, page: 300 };

const names = Object.keys(ARCHETYPES) as ArchetypeId[];
const reports = LANGUAGES.flatMap((language) => names.map((name) => fullReport(name, language)));
const sources = Math.max(...reports.map((report) => report.sources.length));

type Face = "json" | keyof typeof BUDGETS_US;
const faces: Readonly<Record<Face, (report: Report) => string>> = {
  json: JSON.stringify,
  text: renderText,
  terminal: (report) => renderTerminal(report, { colour: true }),
  markdown: renderMarkdown,
  page: (report) => renderReportPage(report),
};

let sink = 0;

/** One call, in microseconds. Encoding is left out: it costs every face the same for a byte. */
function time(write: (report: Report) => string, report: Report): number {
  const start = Bun.nanoseconds();
  const text = write(report);
  // Reading a character makes the engine join the parts of a text.
  sink += text.charCodeAt(text.length >> 1);
  return (Bun.nanoseconds() - start) / 1000;
}

const order = Object.keys(faces) as Face[];
const times = new Map<Face, { readonly all: number[]; readonly worst: Map<Report, number> }>(
  order.map((face) => [face, { all: [], worst: new Map() }]),
);
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  for (const face of order) {
    const kept = times.get(face);
    for (let place = 0; place < reports.length; place++) {
      // The order changes every round, so that garbage collection does not always hit the same report.
      const report = reports[(place + round * 7) % reports.length];
      if (report === undefined) continue;
      const us = time(faces[face], report);
      if (round < WARM_UP || kept === undefined) continue;
      kept.all.push(us);
      kept.worst.set(report, Math.min(us, kept.worst.get(report) ?? Number.POSITIVE_INFINITY));
    }
  }
}
// A share card: the SVG, and its drawing as PNG on a thread of its own, as the service does it.
const CARD_BUDGET_MS = 60;
const draw = createPngPainter({
  packages: new URL("../../node_modules", import.meta.url).pathname,
  fonts: new URL("../../fonts", import.meta.url).pathname,
});
const cards: { readonly ms: number; readonly bytes: number }[] = [];
for (let round = 0; round < 4; round++) {
  for (const report of reports) {
    const start = Bun.nanoseconds();
    const png = await draw(() => renderReportCard(report));
    const ms = (Bun.nanoseconds() - start) / 1_000_000;
    // The first round compiles the library.
    if (round > 0) cards.push({ ms, bytes: png?.length ?? 0 });
  }
}

if (sink === 0) throw new Error("Cannot measure: nothing was written");

const budget = createBudget();
const baseline = median(times.get("json")?.all ?? []);
console.log(`${reports.length} reports, up to ${sources} sources; microseconds a report`);
console.log("face        median     p99  dearest report, best of its rounds   times JSON   budget");
for (const face of order) {
  const kept = times.get(face);
  const all = kept?.all ?? [];
  const dearest = Math.max(...(kept?.worst.values() ?? []));
  const limit = face === "json" ? undefined : BUDGETS_US[face];
  console.log(
    `${face.padEnd(10)} ${median(all).toFixed(1).padStart(7)} ${quantile(all, 0.99).toFixed(1).padStart(7)} ${dearest.toFixed(1).padStart(35)} ${(median(all) / baseline).toFixed(1).padStart(12)} ${String(limit ?? "").padStart(8)}`,
  );
  if (limit !== undefined) budget.check(`${face} (us)`, dearest, limit);
}

const cardTimes = cards.map(({ ms }) => ms);
const least = Math.min(...cardTimes);
const largest = Math.max(...cards.map(({ bytes }) => bytes));
console.log(
  `share card: best ${least.toFixed(1)} ms, median ${median(cardTimes).toFixed(1)} ms, p99 ${quantile(cardTimes, 0.99).toFixed(1)} ms, up to ${largest} bytes, budget ${CARD_BUDGET_MS} ms`,
);
budget.check("share card (ms)", least, CARD_BUDGET_MS);
budget.end();
