/**
 * Identifies the client behind trusted proxies, limits how many requests it may send (sliding rate windows), and
 * decides which surveys it may start (admissions, counted in the database). Clock, randomness and the database are
 * arguments.
 */

export * from "./admissions.ts";
export { type Client, type ClientRules, readClient, readForwardedClient } from "./client.ts";
export { createAdmissions } from "./create_admissions.ts";
export { type ClientNames, createClientNames, createKeyedHash, deriveKey } from "./keyed_hash.ts";
export {
  createLookupWindow,
  createRateWindow,
  type RateState,
  type RateWindow,
} from "./rate_window.ts";
