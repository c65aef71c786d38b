import { FEEDS } from "#feeds";
import { createMetrics, type Readings } from "#metrics";
import { SOURCES } from "#sources";
import { parseExposition } from "../metrics/parse_exposition.ts";
import { fillDocument } from "./fill_document.ts";

const [source] = SOURCES.map(({ id }) => id);
const [feed] = FEEDS.map(({ id }) => id);

/** A value for every reading, so that every metric has a sample with labels. */
const READINGS: Readings = {
  load: () => ({ running: 1, waiting: 1, cached: 1, unsaved: 1, storeReadable: true }),
  replies: () => ({ entries: 1, bytes: 1 }),
  isCounted: () => true,
  budgets: () => [{ id: source ?? "", used: 1, limit: 2 }],
  zones: () => [{ id: source ?? "", version: "4", state: "alive" }],
  paused: () => [],
  feeds: () => [{ id: feed ?? "", ready: true, freshness: "fresh", ageMs: 1 }],
  tables: () => [{ id: "asn", ready: true, date: "2026-01-01", rows: 1 }],
  replica: () => ({ state: "current", lagMs: 1, lastSyncAt: 1, frame: 1 }),
  watch: () => ({ addresses: 1, waiting: 1 }),
  longestDelay: () => 0,
  lostLogLines: () => 0,
};

/** Writes the table of `docs/operators/metrics.md` from the metrics of the program. */
export async function writeMetrics(): Promise<string> {
  const metrics = createMetrics({
    version: "0.0.0",
    scoringVersion: 1,
    role: "full",
    routes: new Set(["/healthz"]),
    shapes: ["json"],
    sources: SOURCES.map(({ id }) => id),
    feeds: FEEDS.map(({ id }) => id),
    tables: ["asn"],
    now: () => Date.UTC(2026, 0, 2),
    startedAt: 0,
    process: () => ({
      cpuSeconds: 1,
      residentBytes: 1,
      heapTotalBytes: 1,
      heapUsedBytes: 1,
      openFiles: 1,
      maxFiles: 1,
    }),
  });
  metrics.attach(READINGS);
  metrics.request({ route: "/healthz", shape: "json", status: 200, ms: 1, code: "internal" });
  metrics.surveyed([{ id: source ?? "", local: false, state: "answered", ms: 1 }], 1);
  metrics.stored("find", "ok", 1);
  metrics.refreshed(feed ?? "", "updated");
  const rows = [...parseExposition(await metrics.write())].map(([name, { type, help, samples }]) => {
    const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
    labels.delete("le");
    const shown = [...labels].map((label) => `\`${label}\``).join(", ");
    return [`\`${name}\``, type, shown === "" ? "–" : shown, help.replaceAll("|", "\\|")];
  });
  return fillDocument("docs/operators/metrics.md", { metrics: () => rows });
}
