import { LRUCache } from "lru-cache";
import { DAY_MS, MINUTE_MS } from "#common";
import { createSingleFlight } from "#concurrency";
import type { AdmissionCharge, AdmissionRepository, ChargeUse } from "#store";
import type {
  Admission,
  AdmissionLimits,
  AdmissionRequest,
  Admissions,
  Admitted,
  LimitState,
  Refusal,
  Refused,
} from "./admissions.ts";
import type { Client } from "./client.ts";
import type { ClientLimits } from "./client_limits.ts";
import type { ClientNames } from "./client_names.ts";
import { createRateWindow, entryMs, type RateWindow } from "./rate_window.ts";

/** For this long a use that the database returned refuses requests and answers {@link Admissions.remaining}. */
const FRESH_MS = 5000;

/** After a failure of the database, the next request to it waits this long. */
const RETRY_MS = 1000;

/** Uses in memory. A use that is removed costs one read of the database. */
const MAX_KNOWN = 16_384;

/** Name of the shared window and the shared count in the database. */
const OPEN = "open";
const TOTAL = "total";

/** Dependencies of {@link createAdmissions}. */
export interface AdmissionsOptions {
  /** The windows of this process. */
  readonly windows: Pick<ClientLimits, "newSurveys" | "refreshes">;
  readonly repository: AdmissionRepository;
  readonly names: ClientNames;
  readonly limits: AdmissionLimits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called once when the database begins to fail, and once when it answers again. Neither may throw. */
  readonly onOutage: (error: unknown) => void;
  readonly onRecovery?: () => void;
  /** Called with the result of each request: "admitted" or the reason of the refusal. */
  readonly onDecision?: (kind: AdmissionRequest["kind"], outcome: "admitted" | Refusal["reason"]) => void;
}

/** One limit that a request is charged to. */
interface Limit {
  /** Identifies it in the memory of this process. */
  readonly key: string;
  readonly policy: LimitState["policy"];
  readonly reason: Refusal["reason"];
  readonly code: Refusal["code"];
  readonly limit: number;
  /** When an admission of now stops counting. */
  readonly until: number;
  /** The window of this process, and the key in it. A limit of the day has none. */
  readonly own?: { readonly window: RateWindow; readonly key: string };
  /** Its name in the database, and the one that it had before midnight. */
  readonly name: () => Pick<AdmissionCharge, "name" | "earlierName">;
}

/** The limits of a request, in the order of refusal. The first is the client's minute. */
type Limits = readonly [Limit, ...Limit[]];

/** A use that the database returned at `readAt`, and the admissions that this process made alone since then. */
interface KnownUse extends ChargeUse {
  readonly readAt: number;
  /** The number of the event that recorded it. */
  readonly recorded: number;
}

/**
 * Creates the admissions. The database admits or refuses in one transaction, so the limits hold for all processes. In
 * front of it, this process refuses what its own windows and the counts of the last 5 seconds refuse. Order of
 * refusal: the client's minute, the client's day, the total day, the open minute. A refused request uses nothing.
 *
 * While the database is away, this process decides by its own windows and the last known counts. What it admits then
 * is not added to the database later: in each outage, each process may admit one more allowance.
 */
export function createAdmissions(options: AdmissionsOptions): Admissions {
  const { windows, repository, names, limits, now } = options;
  const known = new LRUCache<string, KnownUse>({ max: MAX_KNOWN });
  /** The open lookups that this process admitted. */
  const ownOpen = createRateWindow({ limit: limits.openPerMinute, windowMs: MINUTE_MS, maxKeys: 1 });
  const reads = createSingleFlight<number>();
  const refundable = new WeakMap<Admitted, { readonly charged: readonly Limit[]; readonly at: number }>();
  /** Numbers the events in memory, because answers of the database may overtake each other and refunds. */
  let sequence = 0;
  let lastRefund = 0;
  let isAway = false;
  let retryAt = 0;

  async function request(admissionRequest: AdmissionRequest): Promise<Admission> {
    const admission = await decide(admissionRequest);
    options.onDecision?.(admissionRequest.kind, admission.admitted ? "admitted" : admission.refusal.reason);
    return admission;
  }

  async function decide(admissionRequest: AdmissionRequest): Promise<Admission> {
    const { client, kind, passId } = admissionRequest;
    if (client.exempt) return { admitted: true, limits: [], remaining: limits.openPerDay };
    if (kind === "refresh" && passId === undefined) {
      const refusal = {
        code: "verification_required",
        reason: "refresh_per_minute",
        limit: limits.refreshPerMinute,
      } as const;
      return { admitted: false, refusal, limits: [], remaining: await remaining(client) };
    }
    const at = now();
    const charged = listLimits(admissionRequest, at);
    const usedUp = findUsedUp(charged, at, FRESH_MS);
    if (usedUp !== undefined) return refuse(client, charged, usedUp, at);
    const isOpen = kind === "new-ip" && passId === undefined;
    // A request with a pass is not charged for the open allowance, so that is read beside it.
    const left = isOpen ? undefined : remaining(client);
    const started = sequence;
    const result = await attempt(() => repository.admit(at, charged.map(toCharge)));
    if (result !== undefined) record(charged, result.uses, at, started);
    const refusing = findUsedUp(charged, at);
    if (result === undefined ? refusing !== undefined : !result.isAdmitted) {
      return refuse(client, charged, refusing ?? charged[0], at);
    }
    for (const { own } of charged) own?.window.take(own.key, at);
    if (result === undefined) for (const one of charged) addKnown(one, 1);
    const states = describe(charged, at);
    const openLeft = states.find(({ policy }) => policy === "open-day")?.remaining ?? 0;
    const admission: Admitted = { admitted: true, limits: states, remaining: (await left) ?? openLeft };
    if (isOpen) refundable.set(admission, { charged, at });
    return admission;
  }

  /** The limits that a request is charged to, in the order of refusal. */
  function listLimits({ client, kind, passId }: AdmissionRequest, at: number): Limits {
    const isRefresh = kind === "refresh";
    const window = isRefresh ? windows.refreshes : windows.newSurveys;
    const minute = {
      policy: kind,
      reason: isRefresh ? "refresh_per_minute" : "new_per_minute",
      code: "rate_limited",
      limit: isRefresh ? limits.refreshPerMinute : limits.newPerMinute,
    } as const;
    const prefix = isRefresh ? "refresh:" : "new:";
    const day = dayOf(at);
    const ofClient: Limit = {
      ...minute,
      key: prefix + client.key,
      until: endOfEntry(at, minute.limit),
      own: { window, key: client.key },
      name: () => ({
        name: prefix + names.nameOf(client.key, day),
        earlierName: prefix + names.nameOf(client.key, day - 1),
      }),
    };
    if (passId !== undefined) {
      const key = `pass:${passId}`;
      return [
        ofClient,
        { ...ofClient, key: prefix + key, own: { window, key }, name: () => ({ name: prefix + key }) },
      ];
    }
    return [
      ofClient,
      ...listDays(client.key, at),
      {
        key: OPEN,
        policy: "open-minute",
        reason: "open_per_minute",
        code: "open_rate_limited",
        limit: limits.openPerMinute,
        until: endOfEntry(at, limits.openPerMinute),
        own: { window: ownOpen, key: OPEN },
        name: () => ({ name: OPEN }),
      },
    ];
  }

  /** The open allowance of a client, and that of all clients together. */
  function listDays(client: string, at: number): readonly [Limit, Limit] {
    const day = dayOf(at);
    const until = (day + 1) * DAY_MS;
    const shared = { policy: "open-day", code: "verification_required", until } as const;
    return [
      {
        ...shared,
        key: client,
        reason: "client_day",
        limit: limits.openPerDay,
        name: () => ({ name: `client:${names.nameOf(client, day)}` }),
      },
      {
        ...shared,
        key: TOTAL,
        reason: "total_day",
        limit: limits.openDailyTotal,
        name: () => ({ name: TOTAL }),
      },
    ];
  }

  /** Runs a call of the database; undefined when it fails, and while it is away. */
  async function attempt<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
    const waitMs = retryAt - now();
    // A longer wait means that the clock was set back.
    if (isAway && waitMs > 0 && waitMs <= RETRY_MS) return undefined;
    // Other requests do not wait for this one.
    if (isAway) retryAt = now() + RETRY_MS;
    try {
      const result = await call();
      if (isAway) options.onRecovery?.();
      isAway = false;
      return result;
    } catch (error) {
      retryAt = now() + RETRY_MS;
      if (!isAway) options.onOutage(error);
      isAway = true;
      return undefined;
    }
  }

  /** Records the answer to a call that began at the number `started`. */
  function record(charged: readonly Limit[], uses: readonly ChargeUse[], at: number, started: number): void {
    // An answer from before a refund refuses nobody.
    const readAt = started >= lastRefund ? at : -Infinity;
    for (const [place, { key }] of charged.entries()) {
      const use = uses[place];
      const before = known.get(key);
      // Of two overlapping answers, the one with more admissions is the later one.
      const isOlder = before !== undefined && before.recorded > started && before.used > (use?.used ?? 0);
      if (use !== undefined && !isOlder) known.set(key, { ...use, readAt, recorded: nextNumber() });
    }
  }

  function nextNumber(): number {
    sequence += 1;
    return sequence;
  }

  /** Changes a known use by 1 or -1, until the database returns the next one. */
  function addKnown({ key, until }: Limit, by: 1 | -1): void {
    const { used = 0, ...rest } = known.get(key) ?? { freeAt: until, readAt: -Infinity };
    known.set(key, { ...rest, used: Math.max(0, used + by), recorded: nextNumber() });
  }

  /** What is known of a limit that still counts and was read within `ageMs`. */
  function findKnown({ key, until }: Limit, at: number, ageMs: number): KnownUse | undefined {
    const use = known.get(key);
    if (use === undefined || use.freeAt <= at || use.freeAt > until) return undefined;
    return at - use.readAt <= ageMs && at >= use.readAt ? use : undefined;
  }

  /** What is left of a limit, and milliseconds until there is more: by the window of this process or the known use. */
  function leftOf(one: Limit, at: number, ageMs = Infinity) {
    const use = findKnown(one, at, ageMs);
    const remaining = Math.max(0, one.limit - (use?.used ?? 0));
    const own = one.own?.window.peek(one.own.key, at);
    if (own !== undefined && (use === undefined || own.remaining < remaining)) return own;
    return { remaining, resetMs: (own === undefined ? one.until : (use?.freeAt ?? at)) - at };
  }

  function findUsedUp(charged: readonly Limit[], at: number, ageMs = Infinity): Limit | undefined {
    return charged.find((one) => leftOf(one, at, ageMs).remaining === 0);
  }

  async function refuse(client: Client, charged: Limits, usedUp: Limit, at: number): Promise<Refused> {
    const left = await remaining(client);
    // The days may have been read only now, and they come before the minute of all clients.
    const one = findUsedUp(charged, at) ?? usedUp;
    const { code, reason, limit, policy } = one;
    // The limit may have become free since the database refused: the client may try again after a second.
    const retryAfterMs = leftOf(one, at).resetMs || 1000;
    const shown = charged.filter((other) => other.policy === policy || other.policy === charged[0].policy);
    return {
      admitted: false,
      refusal: { code, reason, limit, ...(policy === "open-day" ? {} : { retryAfterMs }) },
      limits: describe(shown, at),
      remaining: left,
    };
  }

  /** The state of each policy: that of its limit with the least left. */
  function describe(charged: readonly Limit[], at: number): readonly LimitState[] {
    const states = [...Map.groupBy(charged, ({ policy }) => policy)].map(([policy, ofPolicy]) => {
      const lefts = ofPolicy.map((one) => leftOf(one, at));
      const remaining = Math.min(...lefts.map((left) => left.remaining));
      const resetMs = Math.max(...lefts.map((left) => (left.remaining === remaining ? left.resetMs : 0)));
      return {
        policy,
        quota: ofPolicy[0]?.limit ?? 0,
        windowSeconds: (policy === "open-day" ? DAY_MS : MINUTE_MS) / 1000,
        remaining,
        resetSeconds: Math.ceil(resetMs / 1000),
      };
    });
    return states.toSorted((a, b) => a.windowSeconds - b.windowSeconds);
  }

  function refund(admission: Admitted): readonly LimitState[] {
    const { charged, at } = refundable.get(admission) ?? { charged: [], at: 0 };
    refundable.delete(admission);
    if (charged.length > 0) void refundCharged(charged.slice(1), at);
    return admission.limits.filter(({ policy }) => policy !== "open-minute" && policy !== "open-day");
  }

  async function refundCharged(charged: readonly Limit[], at: number): Promise<void> {
    for (const one of charged) {
      if (known.has(one.key)) addKnown(one, -1);
      one.own?.window.refund(one.own.key, at);
    }
    lastRefund = nextNumber();
    const isRefunded = await attempt(async () => {
      await repository.refund(charged.map(toCharge));
      return true;
    });
    lastRefund = nextNumber();
    // What was read meanwhile may contain the admission.
    if (isRefunded) for (const { key } of charged) known.delete(key);
  }

  function remaining(client: Client): number | Promise<number> {
    if (client.exempt || limits.openPerDay === 0) return limits.openPerDay;
    const at = now();
    const days = listDays(client.key, at);
    const isKnown = days.every((day) => findKnown(day, at, FRESH_MS) !== undefined);
    if (isKnown) return leftOfDays(days, at);
    return reads.run(`${dayOf(at)} ${client.key}`, async () => {
      const started = sequence;
      const uses = await attempt(() => repository.read(at, days.map(toCharge)));
      if (uses !== undefined) record(days, uses, at, started);
      return leftOfDays(days, at);
    });
  }

  function leftOfDays(days: readonly Limit[], at: number): number {
    return Math.min(...days.map((day) => leftOf(day, at).remaining));
  }

  return { request, refund, remaining };
}

function toCharge({ name, limit, until }: Limit): AdmissionCharge {
  return { ...name(), limit, until };
}

/** Days since the epoch, UTC. */
function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** When an admission leaves its window. Admissions of one entry leave it together. */
function endOfEntry(at: number, limit: number): number {
  const coveredMs = entryMs(limit, MINUTE_MS);
  return (coveredMs === 0 ? at : (Math.floor(at / coveredMs) + 1) * coveredMs) + MINUTE_MS;
}
