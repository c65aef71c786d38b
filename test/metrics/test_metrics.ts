import { createMetrics } from "#metrics";

type MetricsOptions = Parameters<typeof createMetrics>[0];

/** The metrics of a full service that knows no route, source, list or table, but for what `change` says. */
export function createTestMetrics(change: Partial<MetricsOptions> = {}): ReturnType<typeof createMetrics> {
  return createMetrics({
    version: "9.9.9",
    scoringVersion: 1,
    role: "full",
    routes: new Set(),
    shapes: [],
    sources: [],
    feeds: [],
    tables: [],
    now: () => 0,
    startedAt: 0,
    ...change,
  });
}
