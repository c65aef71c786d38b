/**
 * Counters, gauges and histograms of the service in the Prometheus text format, and the state of this process. The
 * values of every label come from a fixed set: never an address, a client, a path or a key.
 */
export * from "./metrics.ts";
export { watchLoop } from "./process.ts";
export { createRegistry, EXPOSITION_TYPE } from "./registry.ts";
