/** Limits and order of work: queue, throttle, pace of heavy work, single flight, circuit breaker of the store. */
export { hasFreeFiles } from "./free_files.ts";
export { createOutage, type Read } from "./outage.ts";
export { createPace, createQueue, createThrottle, type Pace, type Place, type Queue } from "./queue.ts";
export { createSingleFlight, raceAbort } from "./single_flight.ts";
