import { FEEDS } from "#feeds";
import { createMetrics, type Readings } from "#metrics";
import { SOURCES } from "#sources";
import { parseExposition } from "../metrics/parse_exposition.ts";

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

const ABOUT = `# Metrics

\`/metrics\` gives the operator the metrics of the service in the Prometheus text format. By default it answers only clients on
this machine that do not come through a proxy; everyone else gets 404. With \`LIMPID_METRICS_TOKEN\` it answers every client that
sends this bearer token. Alert rules and a dashboard: [monitoring](monitoring.md).

\`\`\`yaml
scrape_configs:
  - job_name: limpid
    authorization: { credentials_file: /etc/prometheus/limpid_token }
    static_configs: [{ targets: ["127.0.0.1:8080"] }]
\`\`\`

Every label has a fixed set of values: route patterns, and ids of sources, lists and codes. No label contains an address, neither
one that was looked up nor a client's.

## What to watch

| question | expression |
|---|---|
| How fast are the responses? | \`histogram_quantile(0.99, sum by (le) (rate(limpid_http_request_seconds_bucket[5m])))\` |
| Are there internal errors? | \`sum(rate(limpid_http_requests_total{status=~"5.."}[5m]))\` |
| How many lookups are answered from memory and database? | \`sum by (result) (rate(limpid_answers_total[1h]))\` |
| Which requests are refused? | \`sum by (code, reason) (rate(limpid_http_problems_total[1h]))\` |
| Which sources fail? | \`sum by (source, reason) (rate(limpid_source_runs_total{state="failed"}[1h]))\` |
| Which daily budgets are nearly used up? | \`limpid_source_budget_used / limpid_source_budget_limit > 0.9\` |
| Which DNS lists fail their self-test? | \`limpid_zone_state{state="alive"} == 0\` |
| Are there lists that are too old? | \`limpid_feeds{freshness="expired"} > 0\` |
| Is the database available? | \`limpid_store_up == 0\` or \`limpid_allowance_counted == 0\` |
| Is a mirror behind its primary? | \`limpid_replica_lag_seconds > 300\` |
| Is the process overloaded? | \`limpid_surveys_waiting > 0\` for minutes, \`limpid_event_loop_longest_delay_seconds > 0.5\` |
| Did a callback throw an error that no code caught? | \`increase(limpid_uncaught_errors_total[1h]) > 0\` |
| Do changes of watched addresses wait for the webhook? | \`limpid_watch_waiting > 0\` for hours |
| Are log lines lost? | \`increase(limpid_log_lines_lost_total[1h]) > 0\` |
`;

/** Writes `docs/operators/metrics.md` from the metrics of the program. */
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
    return `| \`${name}\` | ${type} | ${shown === "" ? "–" : shown} | ${help.replaceAll("|", "\\|")} |`;
  });
  return [
    ABOUT,
    "## All metrics",
    "",
    "| metric | type | labels | meaning |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
