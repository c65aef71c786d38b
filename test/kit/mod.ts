/** Helpers of the tests: an HTTP gateway and a DNS server on loopback, a clock, real processes. */

export { chargeOfDay, readUsed } from "./charges.ts";
export { startChromium } from "./chromium.ts";
export { cleanUpLater, createTemporaryFolder } from "./clean_up.ts";
export { type Clock, createClock } from "./clock.ts";
export { countListeners } from "./count_listeners.ts";
export * from "./dns_server.ts";
export { MIGRATIONS, writeEmptyDatabase } from "./empty_database.ts";
export { findFreePort } from "./find_free_port.ts";
export { findProgram, PROGRAMS, type Program } from "./find_program.ts";
export { type FirefoxWindow, startFirefox } from "./firefox.ts";
export * from "./gateway.ts";
export { createManualTimers } from "./manual_timers.ts";
export { openUpstreamClient } from "./open_upstream_client.ts";
export { createDraw, createRandom, type Draw } from "./random.ts";
export { readAddress } from "./read_address.ts";
export { type Ended, readToEnd } from "./read_to_end.ts";
export { isFullRun, runs } from "./runs.ts";
export * from "./service.ts";
export * from "./set_up.ts";
export { type Sqld, type SqldOptions, startSqld } from "./sqld.ts";
export * from "./test_upstreams.ts";
