/** Limits and order of work that runs at the same time: queue, single flight, throttle. */
export { createQueue, type Place, type Queue } from "./queue.ts";
export { createSingleFlight, raceAbort } from "./single_flight.ts";
export { createThrottle } from "./throttle.ts";
