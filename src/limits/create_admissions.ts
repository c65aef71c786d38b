import { LRUCache } from "lru-cache";
import { DAY_MS, MINUTE_MS } from "#common";
import { createOutage, createSingleFlight } from "#concurrency";
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
import type { ClientNames } from "./keyed_hash.ts";
import { createLimitLists, dayOf, type Limit, type Limits } from "./limit_lists.ts";

/** For this long a use that the database returned refuses requests and answers {@link Admissions.remaining}. */
const FRESH_MS = 5000;

/** After a failure of the database, the next request to it waits this long. */
const RETRY_MS = 1000;

/** Uses in memory. A use that is removed costs one read of the database. */
const MAX_KNOWN = 16_384;

/** A use that the database returned at `readAt`, and the admissions that this process made alone since then. */
interface KnownUse extends ChargeUse {
  readonly readAt: number;
  /** The number of the event that recorded it. */
  readonly recorded: number;
}

/**
 * Creates the admissions. The database admits or refuses in one transaction, so the limits hold for all processes. In
 * front of it, this process refuses what the counts of the last 5 seconds refuse. Order of refusal: the client's
 * minute, the client's day, the total day, the open minute. A refused request uses nothing.
 *
 * While the database is away, this process continues the last known counts; a minute then begins with its first
 * admission. What it admits then is not added to the database later: in each outage, each process may admit one more
 * allowance.
 */
export function createAdmissions(options: {
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
}): Admissions {
  const { repository, names, limits, now } = options;
  const { listLimits, listDays } = createLimitLists(limits, names);
  const known = new LRUCache<string, KnownUse>({ max: MAX_KNOWN });
  const reads = createSingleFlight<number>();
  const refundable = new WeakMap<Admitted, readonly Limit[]>();
  /** Numbers the events in memory, because answers of the database may overtake each other and refunds. */
  let sequence = 0;
  let lastRefund = 0;
  const database = createOutage({
    firstPauseMs: RETRY_MS,
    longestPauseMs: RETRY_MS,
    now,
    onLoss: options.onOutage,
    onReturn: () => options.onRecovery?.(),
  });

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
    const result = await database.read(() => repository.admit(at, charged.map(toCharge)));
    if (result.reached) record(charged, result.value.uses, at, started);
    const refusing = findUsedUp(charged, at);
    if (result.reached ? !result.value.isAdmitted : refusing !== undefined) {
      return refuse(client, charged, refusing ?? charged[0], at);
    }
    if (!result.reached) for (const one of charged) addKnown(one, 1);
    const states = describe(charged, at);
    const openLeft = states.find(({ policy }) => policy === "open-day")?.remaining ?? 0;
    const admission: Admitted = { admitted: true, limits: states, remaining: (await left) ?? openLeft };
    if (isOpen) refundable.set(admission, charged.slice(1));
    return admission;
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

  /** What is left of a limit, and milliseconds until there is more. */
  function leftOf(one: Limit, at: number, ageMs = Infinity) {
    const { used = 0, freeAt = one.until } = findKnown(one, at, ageMs) ?? {};
    return { remaining: Math.max(0, one.limit - used), resetMs: freeAt - at };
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

  /** The state of each policy, minutes first: that of its limit with the least left. */
  function describe(charged: readonly Limit[], at: number): readonly LimitState[] {
    const states = charged.map((one) => {
      const { policy, limit: quota } = one;
      const { remaining, resetMs } = leftOf(one, at);
      const windowSeconds = (policy === "open-day" ? DAY_MS : MINUTE_MS) / 1000;
      return { policy, quota, windowSeconds, remaining, resetSeconds: Math.ceil(resetMs / 1000) };
    });
    const least = states.toSorted((a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds);
    return charged
      .map(({ policy }) => policy)
      .filter((policy, place, all) => all.indexOf(policy) === place)
      .flatMap((policy) => least.find((state) => state.policy === policy) ?? [])
      .toSorted((a, b) => a.windowSeconds - b.windowSeconds);
  }

  function refund(admission: Admitted): readonly LimitState[] {
    const charged = refundable.get(admission);
    refundable.delete(admission);
    if (charged !== undefined) void refundCharged(charged);
    return admission.limits.filter(({ policy }) => policy !== "open-minute" && policy !== "open-day");
  }

  async function refundCharged(charged: readonly Limit[]): Promise<void> {
    for (const one of charged) if (known.has(one.key)) addKnown(one, -1);
    lastRefund = nextNumber();
    const refunded = await database.read(() => repository.refund(charged.map(toCharge)));
    lastRefund = nextNumber();
    // What was read meanwhile may contain the admission.
    if (refunded.reached) for (const { key } of charged) known.delete(key);
  }

  function remaining(client: Client): number | Promise<number> {
    if (client.exempt || limits.openPerDay === 0) return limits.openPerDay;
    const at = now();
    const days = listDays(client.key, at);
    const isKnown = days.every((day) => findKnown(day, at, FRESH_MS) !== undefined);
    if (isKnown) return leftOfDays(days, at);
    return reads.run(`${dayOf(at)} ${client.key}`, async () => {
      const started = sequence;
      const uses = await database.read(() => repository.read(at, days.map(toCharge)));
      if (uses.reached) record(days, uses.value, at, started);
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
