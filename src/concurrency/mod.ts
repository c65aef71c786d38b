/** Limits and order of work: queue, throttle, pace of heavy work, single flight, circuit breaker of the store. */
export { hasFreeFiles } from "./free_files.ts";
export { createOutage, type Read } from "./outage.ts";
export * from "./queue.ts";
