/** Limits and order of work: queue, pace of heavy work, single flight, throttle, circuit breaker of the store. */

export { hasFreeFiles } from "./free_files.ts";
export { createOutage, type Read } from "./outage.ts";
export { createPace, type Pace } from "./pace.ts";
export { createQueue, type Place, type Queue } from "./queue.ts";
export { createSingleFlight, raceAbort } from "./single_flight.ts";
export { createThrottle } from "./throttle.ts";
