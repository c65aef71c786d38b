/**
 * What the operator sees: counters, gauges and histograms in the Prometheus text format, and this process's own state.
 * Every label comes from a set that is closed when the process starts: never an address, a client, a path or a key.
 */
export {
  createMetrics,
  type Metrics,
  type MetricsOptions,
  type Readings,
  type SeenAnswer,
} from "./create_metrics.ts";
export { createRegistry } from "./create_registry.ts";
export { EXPOSITION_TYPE } from "./exposition.ts";
export { type ProcessState, readProcess } from "./read_process.ts";
export { type LoopWatch, watchLoop } from "./watch_loop.ts";
