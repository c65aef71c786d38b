import { createSingleFlight } from "#concurrency";
import type { AdmissionCharge, AdmissionRepository, AdmissionResult } from "#store";
import { AdmissionCache } from "./admission_cache.ts";
import {
  type Admission,
  type AdmissionLimits,
  type AdmissionRequest,
  type Admissions,
  type Admitted,
  DAY_MS,
  describeClientMinute,
  describeOpenDay,
  describeOpenMinute,
  findMinuteLimit,
  type LimitState,
  MINUTE_MS,
  type MinuteLimit,
  type Refusal,
  type Refused,
  refusals,
  type WindowUse,
  withoutOpenLimits,
} from "./admissions.ts";
import type { Client } from "./client.ts";
import type { ClientLimits } from "./client_limits.ts";
import type { ClientNames } from "./client_names.ts";
import { createRateWindow, type RateWindow } from "./rate_window.ts";
import { createSaveQueue, type SaveQueueOptions } from "./save_queue.ts";

/** The limit for saving a charge that is already admitted. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Names of the shared window and the shared count in the database. */
const OPEN = "open";
const TOTAL = "total";

/** Dependencies of {@link createAdmissions}. */
export interface AdmissionsOptions extends Omit<SaveQueueOptions, "check"> {
  /** The windows of this process. */
  readonly windows: Pick<ClientLimits, "newSurveys" | "refreshes">;
  readonly permits: AdmissionRepository;
  readonly names: ClientNames;
  readonly limits: AdmissionLimits;
  /** Returns a random id, never the same twice. */
  readonly newId: () => string;
}

/** One request in progress. */
interface Attempt {
  readonly client: Client;
  readonly at: number;
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly minute: MinuteLimit;
  /** The window of this process, and the keys that need room in it: the client's, and that of its pass. */
  readonly window: RateWindow;
  readonly keys: readonly string[];
  /** Whether it uses the open allowance: a new address without a pass. */
  readonly isOpen: boolean;
}

/**
 * Creates the admissions. This process first checks its own memory, in microseconds. If that does not refuse the
 * request, the database admits or refuses it in one transaction, so the limits hold for all processes. Order of
 * refusal: the client's minute, the client's day, the total day, the open minute. When several limits are used up, a
 * process may know only a later one of them, and then reports that one. A refused request uses nothing.
 *
 * By its memory, this process refuses a full window until the time that the database returned, and a used-up day for
 * at most 5 seconds.
 *
 * While the database fails, this process counts alone and starts from the last known counts. It saves its admissions
 * and refunds before it uses the database again.
 */
export function createAdmissions(options: AdmissionsOptions): Admissions {
  const { windows, permits, names, limits, now, newId } = options;
  const cache = new AdmissionCache();
  /** The open lookups that this process admitted. */
  const ownOpen = createRateWindow({ limit: limits.openPerMinute, windowMs: MINUTE_MS, maxKeys: 1 });
  const reads = createSingleFlight<number>();
  /** The charge of each admission that can be refunded. */
  const refundable = new WeakMap<Admitted, { readonly attempt: Attempt; readonly charge: AdmissionCharge }>();
  const saves = createSaveQueue({
    ...options,
    check: () => permits.read(Math.floor(now() / DAY_MS), [TOTAL]),
  });

  async function request(admissionRequest: AdmissionRequest): Promise<Admission> {
    const { client, kind, passId } = admissionRequest;
    if (client.exempt) return { admitted: true, limits: [], remaining: limits.openPerDay };
    if (kind === "refresh" && passId === undefined) {
      const refusal = refusals.refreshWithoutPass(limits);
      return { admitted: false, refusal, limits: [], remaining: await remaining(client) };
    }
    const attempt = createAttempt(admissionRequest);
    const refusal = refuseAtOnce(attempt);
    if (refusal?.reason === "open_per_minute") {
      // In the order of refusal, a used-up day is first. It may have to be read.
      const left = await remaining(client);
      return refuse(attempt, refuseDay(attempt) ?? refusal, left);
    }
    if (refusal !== undefined) return refuse(attempt, refusal);
    // No other code ran since the windows were read, so each of them has room.
    for (const key of attempt.keys) attempt.window.take(key, attempt.at);
    const charge = createCharge(attempt);
    if (!saves.isFailing) return requestFromDatabase(attempt, charge);
    saves.retry();
    return requestAlone(attempt, charge);
  }

  function createAttempt({ client, kind, passId }: AdmissionRequest): Attempt {
    const at = now();
    return {
      client,
      at,
      day: Math.floor(at / DAY_MS),
      minute: findMinuteLimit(limits, kind),
      window: kind === "refresh" ? windows.refreshes : windows.newSurveys,
      keys: passId === undefined ? [client.key] : [client.key, `pass:${passId}`],
      isOpen: kind === "new-ip" && passId === undefined,
    };
  }

  /** Returns the refusal that this process can decide by itself. Changes no count. */
  function refuseAtOnce(attempt: Attempt): Refusal | undefined {
    const { at, minute, window, keys, isOpen } = attempt;
    const waits = keys.map((key) =>
      Math.max(window.peek(key, at).retryAfterMs, cache.fullForMs(windowName(minute, key), at)),
    );
    const waitMs = Math.max(...waits);
    if (waitMs > 0) return refusals.clientMinute(minute, waitMs);
    if (!isOpen) return undefined;
    const dayRefusal = refuseDay(attempt);
    if (dayRefusal !== undefined) return dayRefusal;
    const openMs = limits.openPerMinute === 0 ? MINUTE_MS : cache.fullForMs(OPEN, at);
    return openMs > 0 ? refusals.openMinute(limits, openMs) : undefined;
  }

  function refuseDay({ client, day, at }: Attempt): Refusal | undefined {
    if ((cache.clientUsed(client.key, day, at) ?? 0) >= limits.openPerDay) return refusals.clientDay(limits);
    return (cache.totalUsed(day, at) ?? 0) >= limits.openDailyTotal ? refusals.totalDay(limits) : undefined;
  }

  /**
   * The charge of an attempt. The client's window has its names of today and yesterday, so that it is not empty at
   * midnight.
   */
  function createCharge({ client, at, day, minute, keys, isOpen }: Attempt): AdmissionCharge {
    const name = names.nameOf(client.key, day);
    const prefix = minute.policy === "refresh" ? "refresh:" : "new:";
    const perMinute = { limit: minute.limit, windowMs: MINUTE_MS };
    const clientNames = [`${prefix}${name}`, `${prefix}${names.nameOf(client.key, day - 1)}`] as const;
    const openMinute = { names: [OPEN] as const, limit: limits.openPerMinute, windowMs: MINUTE_MS };
    return {
      id: newId(),
      now: at,
      day,
      windows: [
        { names: clientNames, ...perMinute },
        ...keys.slice(1).map((key) => ({ names: [`${prefix}${key}`] as const, ...perMinute })),
        ...(isOpen ? [openMinute] : []),
      ],
      counts: isOpen
        ? [
            { name: `client:${name}`, limit: limits.openPerDay },
            { name: TOTAL, limit: limits.openDailyTotal },
          ]
        : [],
    };
  }

  async function requestFromDatabase(attempt: Attempt, charge: AdmissionCharge): Promise<Admission> {
    const { client, at, isOpen } = attempt;
    const started = cache.startRead();
    // Reads the open allowance at the same time: the charge of a request with a pass does not return it.
    const openLeft = isOpen ? undefined : remaining(client);
    let result: AdmissionResult;
    try {
      result = await permits.admit(charge);
    } catch (error) {
      saves.reportFailure(error);
      return requestAlone(attempt, charge, true);
    }
    record(attempt, charge, result, started);
    if (!result.isAdmitted) {
      refundWindows(attempt);
      return refuse(attempt, findRefusal(attempt, charge, result), await openLeft);
    }
    if (isOpen) ownOpen.take(OPEN, at);
    const left = isOpen ? leftOf(clientUsed(charge, result), result.used.get(TOTAL) ?? 0) : await openLeft;
    return admit(attempt, charge, left ?? 0, result);
  }

  /** Stores in memory which windows are full and the counts of the day, as the database returned them. */
  function record(attempt: Attempt, charge: AdmissionCharge, result: AdmissionResult, started: number): void {
    const { client, at, day, minute, keys, isOpen } = attempt;
    for (const [index, window] of charge.windows.entries()) {
      const state = result.windows.get(window.names[0]);
      if (state === undefined || state.entries < window.limit) continue;
      const key = keys[index];
      cache.setFull(key === undefined ? OPEN : windowName(minute, key), at + state.nextFreeMs, started);
    }
    if (!isOpen) return;
    cache.setClient(client.key, day, clientUsed(charge, result), at, started);
    cache.setTotal(day, result.used.get(TOTAL) ?? 0, at, started);
  }

  /** The first limit, in the order of refusal, that the database found used up. */
  function findRefusal(
    { minute, keys, isOpen }: Attempt,
    charge: AdmissionCharge,
    result: AdmissionResult,
  ): Refusal {
    const waits = charge.windows.map((window) => {
      const state = result.windows.get(window.names[0]);
      if (state === undefined || state.entries < window.limit) return 0;
      return state.nextFreeMs > 0 ? state.nextFreeMs : MINUTE_MS;
    });
    const waitMs = Math.max(...waits.slice(0, keys.length));
    if (waitMs > 0) return refusals.clientMinute(minute, waitMs);
    if (isOpen) {
      if (clientUsed(charge, result) >= limits.openPerDay) return refusals.clientDay(limits);
      if ((result.used.get(TOTAL) ?? 0) >= limits.openDailyTotal) return refusals.totalDay(limits);
      const openMs = waits[keys.length] ?? 0;
      if (openMs > 0) return refusals.openMinute(limits, openMs);
    }
    // The database refused without a visible reason: the client may try again after a second.
    return refusals.clientMinute(minute, 1000);
  }

  /** Decides without the database. `wasTried`: the database may have admitted it, but its answer was lost. */
  async function requestAlone(
    attempt: Attempt,
    charge: AdmissionCharge,
    wasTried = false,
  ): Promise<Admission> {
    const { client, at, day, isOpen } = attempt;
    const refusal = isOpen ? refuseAlone(attempt) : undefined;
    if (refusal !== undefined) {
      refundWindows(attempt);
      if (wasTried) saves.queueSave(() => permits.refund(charge.id));
      return refuse(attempt, refusal, lastLeft(client.key, day));
    }
    if (isOpen) {
      ownOpen.take(OPEN, at);
      cache.change(client.key, day, 1);
    }
    saves.queueSave(() => save(charge));
    return admit(attempt, charge, lastLeft(client.key, day));
  }

  function refuseAlone({ client, at, day }: Attempt): Refusal | undefined {
    if (cache.lastClientUsed(client.key, day) >= limits.openPerDay) return refusals.clientDay(limits);
    if (cache.lastTotalUsed(day) >= limits.openDailyTotal) return refusals.totalDay(limits);
    const open = ownOpen.peek(OPEN, at);
    return open.admitted ? undefined : refusals.openMinute(limits, open.retryAfterMs);
  }

  /**
   * Saves a charge that is already admitted. After a minute, it saves only the counts: the admission has left the
   * windows.
   */
  async function save(charge: AdmissionCharge): Promise<void> {
    const isRecent = Math.abs(now() - charge.now) < MINUTE_MS;
    await permits.admit({
      ...charge,
      now: isRecent ? charge.now : now(),
      windows: isRecent ? charge.windows.map((window) => ({ ...window, limit: NO_LIMIT })) : [],
      counts: charge.counts.map((count) => ({ ...count, limit: NO_LIMIT })),
    });
  }

  function refundWindows({ window, keys, at }: Attempt): void {
    for (const key of keys) window.refund(key, at);
  }

  function refund(admission: Admitted): readonly LimitState[] {
    const charged = refundable.get(admission);
    refundable.delete(admission);
    if (charged !== undefined) refundCharge(charged.attempt, charged.charge);
    return withoutOpenLimits(admission.limits);
  }

  function refundCharge(attempt: Attempt, charge: AdmissionCharge): void {
    const { client, at, day, minute } = attempt;
    cache.change(client.key, day, -1);
    ownOpen.refund(OPEN, at);
    // The client's own minute stays charged, so a charge with only that window is saved.
    const kept = { ...charge, id: newId(), windows: charge.windows.slice(0, 1), counts: [] };
    saves.queueSave(async () => {
      await save(kept);
      await permits.refund(charge.id);
      // Between the two calls, the client's minute contained the survey twice and may have seemed full.
      cache.invalidate(client.key, [OPEN, windowName(minute, client.key)]);
    });
    if (!saves.isFailing) void saves.flush();
  }

  function admit(
    attempt: Attempt,
    charge: AdmissionCharge,
    left: number,
    result?: AdmissionResult,
  ): Admitted {
    const { at, isOpen, minute, keys } = attempt;
    const inDatabase = charge.windows.map(({ names: [name], limit }) => {
      const state = result?.windows.get(name);
      return state && { remaining: Math.max(0, limit - state.entries), resetMs: state.nextFreeMs };
    });
    const clientUses = [...ownUses(attempt), ...inDatabase.slice(0, keys.length)];
    const states = [
      describeClientMinute(
        minute,
        clientUses.filter((use) => use !== undefined),
      ),
    ];
    if (isOpen) {
      const openUse = inDatabase[keys.length] ?? ownOpen.peek(OPEN, at);
      states.push(describeOpenMinute(limits, openUse), describeOpenDay(limits, at, left));
    }
    const admission: Admitted = { admitted: true, limits: states, remaining: left };
    if (isOpen) refundable.set(admission, { attempt, charge });
    return admission;
  }

  async function refuse(attempt: Attempt, refusal: Refusal, left?: number): Promise<Refused> {
    const { at, client, minute } = attempt;
    const full: WindowUse = { remaining: 0, resetMs: refusal.retryAfterMs ?? 0 };
    const isMinute = refusal.reason === minute.reason;
    const states = [describeClientMinute(minute, isMinute ? [full] : ownUses(attempt))];
    if (refusal.reason === "client_day" || refusal.reason === "total_day") {
      states.push(describeOpenDay(limits, at, 0));
    }
    if (refusal.reason === "open_per_minute") states.push(describeOpenMinute(limits, full));
    return { admitted: false, refusal, limits: states, remaining: left ?? (await remaining(client)) };
  }

  function ownUses({ window, keys, at }: Attempt): readonly WindowUse[] {
    return keys.map((key) => window.peek(key, at));
  }

  function remaining(client: Client): number | Promise<number> {
    if (client.exempt || limits.openPerDay === 0) return limits.openPerDay;
    const at = now();
    const day = Math.floor(at / DAY_MS);
    const used = cache.clientUsed(client.key, day, at);
    const totalUsed = cache.totalUsed(day, at);
    if (used !== undefined && totalUsed !== undefined) return leftOf(used, totalUsed);
    if (saves.isFailing) {
      saves.retry();
      return lastLeft(client.key, day);
    }
    return reads.run(`${day} ${client.key}`, () => readRemaining(client.key, day, at));
  }

  async function readRemaining(key: string, day: number, at: number): Promise<number> {
    const started = cache.startRead();
    try {
      const name = `client:${names.nameOf(key, day)}`;
      const counts = await permits.read(day, [name, TOTAL]);
      const used = counts.get(name) ?? 0;
      const totalUsed = counts.get(TOTAL) ?? 0;
      cache.setClient(key, day, used, at, started);
      cache.setTotal(day, totalUsed, at, started);
      // The cache may have counted more while the database was read.
      return leftOf(cache.clientUsed(key, day, at) ?? used, cache.totalUsed(day, at) ?? totalUsed);
    } catch (error) {
      saves.reportFailure(error);
      return lastLeft(key, day);
    }
  }

  /** What a client can still look up today: the rest of its own allowance or of the total, whichever is smaller. */
  function leftOf(used: number, totalUsed: number): number {
    return Math.max(0, Math.min(limits.openPerDay - used, limits.openDailyTotal - totalUsed));
  }

  function lastLeft(key: string, day: number): number {
    return leftOf(cache.lastClientUsed(key, day), cache.lastTotalUsed(day));
  }

  return { request, refund, remaining };
}

/** The name of a client's or a pass's minute in the cache. */
function windowName({ policy }: MinuteLimit, key: string): string {
  return `${policy} ${key}`;
}

function clientUsed(charge: AdmissionCharge, result: AdmissionResult): number {
  const name = charge.counts[0]?.name;
  return name === undefined ? 0 : (result.used.get(name) ?? 0);
}
