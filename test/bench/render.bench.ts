/**
 * Measures each format of a report: every kind of address with every source of the registry in it, in both languages,
 * the formats in turn. Usage: bun test/bench/render.bench.ts. Exits 1 when the median of a format exceeds its budget, in
 * medians of the JSON; a share card is measured against an empty picture.
 */
import { createPngPainter } from "#app";
import { renderMarkdown, renderReportCard, renderReportPage, renderTerminal, renderText } from "#render";
import { LANGUAGES, type Report } from "#report";
import { fullReport } from "../render/full_reports.ts";
import { ARCHETYPES, type ArchetypeId } from "../scoring/archetypes.ts";
import { createBudget, median, quantile } from "./harness.ts";

const WARM_UP = 12;
const ROUNDS = 24;

/** The most a format may take, in times of the JSON, which the page contains as well. */
const BUDGETS = { text: 8, terminal: 8, markdown: 5, page: 12 };

const names = Object.keys(ARCHETYPES) as ArchetypeId[];
const reports = LANGUAGES.flatMap((language) => names.map((name) => fullReport(name, language)));
const sources = Math.max(...reports.map((report) => report.sources.length));

type Face = "json" | keyof typeof BUDGETS;
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
const times = new Map<Face, number[]>(order.map((face) => [face, []]));
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  for (const face of order) {
    for (let place = 0; place < reports.length; place++) {
      // The order changes every round, so that garbage collection does not always hit the same report.
      const report = reports[(place + round * 7) % reports.length];
      if (report === undefined) continue;
      const us = time(faces[face], report);
      if (round >= WARM_UP) times.get(face)?.push(us);
    }
  }
}
// A share card: the SVG, and its drawing as PNG on a thread of its own, as the service does it.
const CARD_BUDGET = 2;
const EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"/>';
const draw = createPngPainter({
  packages: new URL("../../node_modules", import.meta.url).pathname,
  fonts: new URL("../../fonts", import.meta.url).pathname,
});
const cards: number[] = [];
const empties: number[] = [];
let largest = 0;
for (let round = 0; round < 4; round++) {
  for (const report of reports) {
    for (const [svg, into] of [
      [() => EMPTY, empties],
      [() => renderReportCard(report), cards],
    ] as const) {
      const start = Bun.nanoseconds();
      largest = Math.max(largest, (await draw(svg))?.length ?? 0);
      // The first round compiles the library.
      if (round > 0) into.push((Bun.nanoseconds() - start) / 1_000_000);
    }
  }
}

if (sink === 0) throw new Error("Cannot measure: nothing was written");

const budget = createBudget();
const baseline = median(times.get("json") ?? []);
console.log(`${reports.length} reports, up to ${sources} sources; microseconds a report`);
console.log("face        median     p99   times JSON   budget");
for (const face of order) {
  const all = times.get(face) ?? [];
  const limit = face === "json" ? undefined : BUDGETS[face];
  const ratio = median(all) / baseline;
  console.log(
    `${face.padEnd(10)} ${median(all).toFixed(1).padStart(7)} ${quantile(all, 0.99).toFixed(1).padStart(7)} ${ratio.toFixed(1).padStart(12)} ${String(limit ?? "").padStart(8)}`,
  );
  if (limit !== undefined) budget.check(`${face} (times JSON)`, ratio, limit);
}

const ratio = Math.min(...cards) / Math.min(...empties);
console.log(
  `share card: best ${Math.min(...cards).toFixed(1)} ms, median ${median(cards).toFixed(1)} ms, up to ${largest} bytes, ${ratio.toFixed(1)} times an empty picture, budget ${CARD_BUDGET}`,
);
budget.check("share card (times an empty picture)", ratio, CARD_BUDGET);
budget.end();
