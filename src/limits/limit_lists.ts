import { DAY_MS, MINUTE_MS } from "#common";
import type { AdmissionCharge } from "#store";
import type { AdmissionLimits, AdmissionRequest, LimitState, Refusal } from "./admissions.ts";
import type { ClientNames } from "./keyed_hash.ts";
import { entryMs } from "./rate_window.ts";

/** Name of the shared window and the shared count in the database. */
const OPEN = "open";
const TOTAL = "total";

/** One limit that a request is charged to. */
export interface Limit {
  /** Identifies it in the memory of this process. */
  readonly key: string;
  readonly policy: LimitState["policy"];
  readonly reason: Refusal["reason"];
  readonly code: Refusal["code"];
  readonly limit: number;
  /** When an admission of now stops counting. */
  readonly until: number;
  /** Its name in the database, and the one that it had before midnight. */
  readonly name: () => Pick<AdmissionCharge, "name" | "earlierName">;
}

/** The limits of a request, in the order of refusal. The first is the client's minute. */
export type Limits = readonly [Limit, ...Limit[]];

/** Creates the functions that list the limits of a request at a time, milliseconds since the epoch. */
export function createLimitLists(limits: AdmissionLimits, names: ClientNames) {
  /** The limits that a request is charged to, in the order of refusal. */
  function listLimits({ client, kind, passId }: AdmissionRequest, at: number): Limits {
    const isRefresh = kind === "refresh";
    const limit = isRefresh ? limits.refreshPerMinute : limits.newPerMinute;
    const prefix = isRefresh ? "refresh:" : "new:";
    const nameOn = (day: number) => prefix + names.nameOf(client.key, day);
    const day = dayOf(at);
    const ofClient: Limit = {
      policy: kind,
      reason: isRefresh ? "refresh_per_minute" : "new_per_minute",
      code: "rate_limited",
      limit,
      key: prefix + client.key,
      until: endOfEntry(at, limit),
      name: () => ({ name: nameOn(day), earlierName: nameOn(day - 1) }),
    };
    if (passId !== undefined) {
      const key = `${prefix}pass:${passId}`;
      return [ofClient, { ...ofClient, key, name: () => ({ name: key }) }];
    }
    const openMinute: Limit = {
      policy: "open-minute",
      reason: "open_per_minute",
      code: "open_rate_limited",
      limit: limits.openPerMinute,
      key: OPEN,
      until: endOfEntry(at, limits.openPerMinute),
      name: () => ({ name: OPEN }),
    };
    return [ofClient, ...listDays(client.key, at), openMinute];
  }

  /** The open allowance of a client, and that of all clients together. */
  function listDays(client: string, at: number): readonly [Limit, Limit] {
    const day = dayOf(at);
    const shared = { policy: "open-day", code: "verification_required", until: (day + 1) * DAY_MS } as const;
    const ofClient: Limit = {
      ...shared,
      key: client,
      reason: "client_day",
      limit: limits.openPerDay,
      name: () => ({ name: `client:${names.nameOf(client, day)}` }),
    };
    const { openDailyTotal } = limits;
    return [
      ofClient,
      { ...shared, key: TOTAL, reason: "total_day", limit: openDailyTotal, name: () => ({ name: TOTAL }) },
    ];
  }

  return { listLimits, listDays };
}

/** Days since the epoch, UTC. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** When an admission leaves its window. Admissions of one entry leave it together. */
function endOfEntry(at: number, limit: number): number {
  const coveredMs = entryMs(limit, MINUTE_MS);
  return (coveredMs === 0 ? at : (Math.floor(at / coveredMs) + 1) * coveredMs) + MINUTE_MS;
}
