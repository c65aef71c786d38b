/** Limits and order of work that runs at the same time: queue, single flight, throttle, circuit breaker of the store. */
export { createOutage, type Read } from "./outage.ts";
export { createQueue, createThrottle, type Place, type Queue } from "./queue.ts";
export { createSingleFlight, raceAbort } from "./single_flight.ts";
