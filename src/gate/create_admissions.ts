import type { AdmissionRepository, AdmissionRequest, AdmissionResult } from "#store";
import { AdmissionMemory } from "./admission_memory.ts";
import type { Admissions, LimitState, Refusal, SurveyAsk, SurveyLeave } from "./admissions.ts";
import type { Client } from "./client.ts";
import type { Gate } from "./create_gate.ts";
import { createWindow } from "./create_window.ts";
import type { ClientNames } from "./verification.ts";
import type { Window } from "./window.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** While the database cannot count, it is tried this often. */
const PROBE_MS = 1000;

/** Entries that the database is owed after an outage, at most; the oldest are given up first. */
const MAX_OWED = 4096;

/** An entry that fails this often while the database can be read is given up, or it would block all others. */
const MAX_TRIES = 600;

/** Above every count: what was granted already is entered whatever the limit. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Names in the database. */
const OPEN = "open";
const TOTAL = "total";

/** The limits of a survey. A limit of 0 admits nobody. */
export interface AdmissionLimits {
  /** Unverified first lookups of one client a day. */
  readonly openPerDay: number;
  /** Unverified first lookups of everybody a minute. */
  readonly openPerMinute: number;
  /** Unverified first lookups of everybody a day. */
  readonly openDailyTotal: number;
  /** First lookups of one client a minute, verified or not; also those with one pass. */
  readonly newPerMinute: number;
  /** Refreshes of one client a minute; also those with one pass. */
  readonly refreshPerMinute: number;
}

/** What admissions stand on. */
export interface AdmissionsOptions {
  /** The windows of this process. */
  readonly gate: Pick<Gate, "fresh" | "refreshes">;
  readonly permits: AdmissionRepository;
  readonly names: ClientNames;
  readonly limits: AdmissionLimits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Random and never the same. */
  readonly newId: () => string;
  /** Calls back in `ms`: so the book is tried again though nobody asks. Absent = only an ask tries it. */
  readonly after?: (ms: number, then: () => void) => void;
  /** Told once when the database begins to fail, with its error. Must not throw, like the next. */
  readonly onOutage: (error: unknown) => void;
  /** Told when the database counts again. */
  readonly onRecovery?: () => void;
}

type Denied = Extract<SurveyLeave, { admitted: false }>;
type Granted = Extract<SurveyLeave, { admitted: true }>;

/** What must still be entered in the book. */
interface Owed {
  readonly enter: () => Promise<void>;
  tries: number;
}

/** One ask on its way. */
interface Round {
  readonly client: Client;
  readonly at: number;
  readonly day: number;
  /** The per-client window of this process, the keys that must have room in it, and how it is called. */
  readonly window: Window;
  readonly limit: number;
  readonly keys: readonly string[];
  readonly policy: "new-ip" | "refresh";
  readonly reason: "new_per_minute" | "refresh_per_minute";
  /** Whether the open allowance pays: a first lookup without a pass. */
  readonly open: boolean;
}

/**
 * Creates the admissions. An ask is judged first by the windows and the memory of this process, which costs
 * microseconds and refuses what is known to be used up; whatever passes them is granted or refused by the permit
 * book, in one transaction for all processes. Order of refusal: the client's minute, the client's day, the total
 * day, the site's minute. A refused ask leaves nothing behind.
 *
 * What the memory refuses: a window until the moment that the book named, a used-up day for 5 seconds at most; what
 * this process gives back ends both at once. `limits` of a granted ask are all that it was charged for; of a refused
 * one the client's minute and what refused it.
 *
 * While the book fails, this process counts on its own, starting from what it last knew, and tries the book once a
 * second in the background; what it granted meanwhile, and what it could not give back, it enters first of all when
 * the book is back.
 */
export function createAdmissions(options: AdmissionsOptions): Admissions {
  const { gate, permits, names, limits, now, newId } = options;
  const memory = new AdmissionMemory();
  /** The site's minute as far as this process fills it. */
  const ownOpen = createWindow({ limit: limits.openPerMinute, windowMs: MINUTE_MS, maxKeys: 1 });
  const readings = new Map<string, Promise<number>>();
  const owed: Owed[] = [];
  let settling = false;
  let failing = false;
  /** When the book was last known to fail, in the order of questions, and when it may be tried again. */
  let failedAt = 0;
  let probeAt = 0;
  let isProbePlanned = false;

  function noteFailure(error: unknown): void {
    failedAt = memory.begin();
    probeAt = now() + PROBE_MS;
    probeLater();
    if (failing) return;
    failing = true;
    options.onOutage(error);
  }

  function probeLater(): void {
    if (options.after === undefined || isProbePlanned) return;
    isProbePlanned = true;
    options.after(PROBE_MS, () => {
      isProbePlanned = false;
      if (failing) void settle().then(() => failing && probeLater());
    });
  }

  /** While the book fails: looks in the background whether it is back, so that nobody waits for it. */
  function probe(at: number): void {
    const waitMs = probeAt - at;
    if (waitMs > 0 && waitMs <= PROBE_MS) return;
    probeAt = at + PROBE_MS;
    void settle();
  }

  function owe(enter: () => Promise<void>): void {
    if (owed.length === MAX_OWED) owed.shift();
    owed.push({ enter, tries: 0 });
  }

  /**
   * Enters what is owed, in order; what fails stays for another time. A book that failed is believed again only when
   * it owes nothing any more, or whoever spent without it could spend again. Never rejects.
   */
  async function settle(): Promise<void> {
    if (settling) return;
    settling = true;
    try {
      let begun = memory.begin();
      if (failing) await permits.read(Math.floor(now() / DAY_MS), [TOTAL]);
      for (let entry = owed[0]; entry !== undefined; entry = owed[0]) {
        begun = memory.begin();
        entry.tries += 1;
        if (entry.tries <= MAX_TRIES) await entry.enter();
        // It may have been given up while it was entered.
        if (owed[0] === entry) owed.shift();
      }
      if (failing && begun > failedAt) {
        failing = false;
        options.onRecovery?.();
      }
    } catch (error) {
      noteFailure(error);
    } finally {
      settling = false;
    }
  }

  /** Enters a permit that was granted, whatever the limits; windows only as long as it can still be in them. */
  async function enter(request: AdmissionRequest): Promise<void> {
    const isRecent = Math.abs(now() - request.now) < MINUTE_MS;
    await permits.admit({
      ...request,
      now: isRecent ? request.now : now(),
      windows: isRecent ? request.windows.map((window) => ({ ...window, limit: NO_LIMIT })) : [],
      counts: request.counts.map((count) => ({ ...count, limit: NO_LIMIT })),
    });
  }

  function left(used: number): number {
    return Math.max(0, limits.openPerDay - used);
  }

  function remaining(client: Client): number | Promise<number> {
    if (client.exempt || limits.openPerDay === 0) return limits.openPerDay;
    const at = now();
    const day = Math.floor(at / DAY_MS);
    const used = memory.clientUsed(client.key, day, at);
    if (used !== undefined) return left(used);
    if (failing) {
      probe(at);
      return left(memory.lastClientUsed(client.key, day));
    }
    const name = `${day} ${client.key}`;
    const known = readings.get(name);
    if (known !== undefined) return known;
    const reading = read(client.key, day, at).finally(() => readings.delete(name));
    readings.set(name, reading);
    return reading;
  }

  async function read(key: string, day: number, at: number): Promise<number> {
    const begun = memory.begin();
    try {
      const name = `client:${names.nameOf(key, day)}`;
      const counts = await permits.read(day, [name, TOTAL]);
      const used = counts.get(name) ?? 0;
      memory.learnClient(key, day, used, at, begun);
      memory.learnTotal(day, counts.get(TOTAL) ?? 0, at, begun);
      // What was spent while the answer was on its way counts more.
      return left(memory.clientUsed(key, day, at) ?? used);
    } catch (error) {
      noteFailure(error);
      return left(memory.lastClientUsed(key, day));
    }
  }

  function begin({ client, kind, pass }: SurveyAsk): Round {
    const at = now();
    const isRefresh = kind === "refresh";
    return {
      client,
      at,
      day: Math.floor(at / DAY_MS),
      window: isRefresh ? gate.refreshes : gate.fresh,
      limit: isRefresh ? limits.refreshPerMinute : limits.newPerMinute,
      keys: pass === undefined ? [client.key] : [client.key, passKey(pass)],
      policy: isRefresh ? "refresh" : "new-ip",
      reason: isRefresh ? "refresh_per_minute" : "new_per_minute",
      open: !isRefresh && pass === undefined,
    };
  }

  /** What this process knows to be used up. Spends nothing. */
  function refuseAtOnce(round: Round): Refusal | undefined {
    const { at, window, keys, policy, open } = round;
    const waits = keys.map((key) => {
      const taken = window.peek(key, at);
      return Math.max(taken.admitted ? 0 : taken.retryAfterMs, memory.fullForMs(windowOf(policy, key), at));
    });
    const waitMs = Math.max(...waits);
    if (waitMs > 0) return refuseMinute(round, waitMs);
    if (!open) return undefined;
    const dayRefusal = refuseDay(round);
    if (dayRefusal !== undefined) return dayRefusal;
    const openMs = limits.openPerMinute === 0 ? MINUTE_MS : memory.fullForMs(OPEN, at);
    return openMs > 0 ? refuseOpenMinute(openMs) : undefined;
  }

  function refuseDay({ client, day, at }: Round): Refusal | undefined {
    if ((memory.clientUsed(client.key, day, at) ?? 0) >= limits.openPerDay) return refuseClientDay();
    return (memory.totalUsed(day, at) ?? 0) >= limits.openDailyTotal ? refuseTotalDay() : undefined;
  }

  function refuseMinute({ reason, limit }: Round, retryAfterMs: number): Refusal {
    return { code: "rate_limited", reason, limit, retryAfterMs };
  }

  function refuseClientDay(): Refusal {
    return { code: "verification_required", reason: "client_day", limit: limits.openPerDay };
  }

  function refuseTotalDay(): Refusal {
    return { code: "verification_required", reason: "total_day", limit: limits.openDailyTotal };
  }

  function refuseOpenMinute(retryAfterMs: number): Refusal {
    return {
      code: "open_rate_limited",
      reason: "open_per_minute",
      limit: limits.openPerMinute,
      retryAfterMs,
    };
  }

  /** The names of a minute are today's and yesterday's, so that midnight frees nobody. */
  function draft({ client, at, day, limit, keys, policy, open }: Round): AdmissionRequest {
    const name = names.nameOf(client.key, day);
    const prefix = policy === "refresh" ? "refresh:" : "new:";
    const perMinute = { limit, windowMs: MINUTE_MS };
    return {
      id: newId(),
      now: at,
      day,
      windows: [
        {
          names: [`${prefix}${name}`, `${prefix}${names.nameOf(client.key, day - 1)}`],
          ...perMinute,
        },
        ...keys.slice(1).map((key) => ({ names: [`${prefix}${key}`] as const, ...perMinute })),
        ...(open ? [{ names: [OPEN] as const, limit: limits.openPerMinute, windowMs: MINUTE_MS }] : []),
      ],
      counts: open
        ? [
            { name: `client:${name}`, limit: limits.openPerDay },
            { name: TOTAL, limit: limits.openDailyTotal },
          ]
        : [],
    };
  }

  async function askBook(round: Round, request: AdmissionRequest): Promise<SurveyLeave> {
    const begun = memory.begin();
    let result: AdmissionResult;
    // Read at the same time: what does not pay for the ask is not told by its answer.
    const otherwiseLeft = round.open ? 0 : remaining(round.client);
    try {
      result = await permits.admit(request);
    } catch (error) {
      noteFailure(error);
      return judgeAlone(round, request, true);
    }
    learn(round, request, result, begun);
    if (result.isAdmitted) {
      if (round.open) ownOpen.take(OPEN, round.at);
      const leftNow = round.open ? left(usedByClient(request, result)) : await otherwiseLeft;
      return grant(round, request, leftNow, result);
    }
    giveSlotsBack(round);
    return deny(round, refuseByBook(round, request, result), round.open ? undefined : await otherwiseLeft);
  }

  function learn(round: Round, request: AdmissionRequest, result: AdmissionResult, begun: number): void {
    const { client, at, day, keys, policy, open } = round;
    for (const [place, { names: of, limit }] of request.windows.entries()) {
      const state = result.windows.get(of[0]);
      if (state === undefined || state.entries < limit) continue;
      const key = keys[place];
      memory.learnFull(key === undefined ? OPEN : windowOf(policy, key), at + state.nextFreeMs, begun);
    }
    if (!open) return;
    memory.learnClient(client.key, day, usedByClient(request, result), at, begun);
    memory.learnTotal(day, result.used.get(TOTAL) ?? 0, at, begun);
  }

  function refuseByBook(round: Round, request: AdmissionRequest, result: AdmissionResult): Refusal {
    const waits = request.windows.map(({ names: of, limit }) => {
      const state = result.windows.get(of[0]);
      if (state === undefined || state.entries < limit) return 0;
      return state.nextFreeMs > 0 ? state.nextFreeMs : MINUTE_MS;
    });
    const waitMs = Math.max(...waits.slice(0, round.keys.length));
    if (waitMs > 0) return refuseMinute(round, waitMs);
    if (round.open) {
      if (usedByClient(request, result) >= limits.openPerDay) return refuseClientDay();
      if ((result.used.get(TOTAL) ?? 0) >= limits.openDailyTotal) return refuseTotalDay();
      const openMs = waits[round.keys.length] ?? 0;
      if (openMs > 0) return refuseOpenMinute(openMs);
    }
    // A book that refuses without a reason is asked again soon, not believed to have granted.
    return refuseMinute(round, 1000);
  }

  /** Without the book: from what was last known, and what this process has granted since. */
  async function judgeAlone(
    round: Round,
    request: AdmissionRequest,
    wasTried: boolean,
  ): Promise<SurveyLeave> {
    const { client, at, day, open } = round;
    const refusal = open ? refuseAlone(round) : undefined;
    if (refusal !== undefined) {
      giveSlotsBack(round);
      // The permit may have been granted by an answer that was lost.
      if (wasTried) owe(() => permits.refund(request.id));
      return deny(round, refusal, left(memory.lastClientUsed(client.key, day)));
    }
    if (open) {
      ownOpen.take(OPEN, at);
      memory.count(client.key, day, 1);
    }
    owe(() => enter(request));
    return grant(round, request, left(memory.lastClientUsed(client.key, day)));
  }

  function refuseAlone({ client, at, day }: Round): Refusal | undefined {
    if (memory.lastClientUsed(client.key, day) >= limits.openPerDay) return refuseClientDay();
    if (memory.lastTotalUsed(day) >= limits.openDailyTotal) return refuseTotalDay();
    const taken = ownOpen.peek(OPEN, at);
    return taken.admitted ? undefined : refuseOpenMinute(taken.retryAfterMs);
  }

  function giveSlotsBack({ window, keys, at }: Round): void {
    for (const key of keys) window.giveBack(key, at);
  }

  function grant(
    round: Round,
    request: AdmissionRequest,
    leftNow: number,
    result?: AdmissionResult,
  ): Granted {
    const { at, open } = round;
    const states = [describeMinute(round, request, result)];
    if (open) {
      states.push(describeOpen(at, result?.windows.get(OPEN)), describeDay(at, leftNow));
    }
    let isGivenBack = !open;
    return {
      admitted: true,
      limits: states,
      remaining: leftNow,
      giveBack() {
        if (isGivenBack) return;
        isGivenBack = true;
        giveBack(round, request);
      },
    };
  }

  /** The client's own minute is not given back: the permit is entered once more under that alone. */
  function giveBack({ client, at, day, policy }: Round, request: AdmissionRequest): void {
    memory.count(client.key, day, -1);
    ownOpen.giveBack(OPEN, at);
    const kept = { ...request, id: newId(), windows: request.windows.slice(0, 1), counts: [] };
    owe(async () => {
      await enter(kept);
      await permits.refund(request.id);
      // Between the two the client's minute held the survey twice, and may have been seen full.
      memory.free(client.key, [OPEN, windowOf(policy, client.key)]);
    });
    if (!failing) void settle();
  }

  async function deny(round: Round, refusal: Refusal, known?: number): Promise<Denied> {
    const { at, client } = round;
    const leftNow = known ?? (await remaining(client));
    const minute = describeMinute(round);
    const isMinute = refusal.reason === round.reason;
    const states: LimitState[] = [
      isMinute ? { ...minute, remaining: 0, resetSeconds: inSeconds(refusal.retryAfterMs ?? 0) } : minute,
    ];
    if (refusal.reason === "client_day" || refusal.reason === "total_day") states.push(describeDay(at, 0));
    if (refusal.reason === "open_per_minute") {
      states.push(describeOpen(at, { entries: refusal.limit, nextFreeMs: refusal.retryAfterMs ?? 0 }));
    }
    return { admitted: false, refusal, limits: states, remaining: leftNow };
  }

  /** The tightest of the client's windows, here and in the book. */
  function describeMinute(round: Round, request?: AdmissionRequest, result?: AdmissionResult): LimitState {
    const { window, limit: quota, keys, at, policy } = round;
    const here = keys.map((key) => window.peek(key, at));
    const there = (request?.windows ?? []).slice(0, keys.length).flatMap(({ names: of, limit }) => {
      const state = result?.windows.get(of[0]);
      return state === undefined
        ? []
        : [{ remaining: Math.max(0, limit - state.entries), resetMs: state.nextFreeMs }];
    });
    const all = [...here, ...there];
    const least = Math.min(...all.map((state) => state.remaining));
    const resetMs = Math.max(
      ...all.filter((state) => state.remaining === least).map((state) => state.resetMs),
    );
    return {
      policy,
      quota,
      windowSeconds: MINUTE_MS / 1000,
      remaining: least,
      resetSeconds: inSeconds(resetMs),
    };
  }

  function describeOpen(
    at: number,
    state: { readonly entries: number; readonly nextFreeMs: number } | undefined,
  ): LimitState {
    const own = ownOpen.peek(OPEN, at);
    return {
      policy: "open-minute",
      quota: limits.openPerMinute,
      windowSeconds: MINUTE_MS / 1000,
      remaining: state === undefined ? own.remaining : Math.max(0, limits.openPerMinute - state.entries),
      resetSeconds: inSeconds(state === undefined ? own.resetMs : state.nextFreeMs),
    };
  }

  function describeDay(at: number, leftNow: number): LimitState {
    return {
      policy: "open-day",
      quota: limits.openPerDay,
      windowSeconds: DAY_MS / 1000,
      remaining: leftNow,
      resetSeconds: inSeconds(DAY_MS - (at % DAY_MS)),
    };
  }

  return {
    remaining,
    async ask(ask) {
      if (ask.client.exempt) {
        return { admitted: true, limits: [], remaining: limits.openPerDay, giveBack: () => {} };
      }
      const round = begin(ask);
      if (round.policy === "refresh" && ask.pass === undefined) {
        const refusal = {
          code: "verification_required",
          reason: "refresh_per_minute",
          limit: limits.refreshPerMinute,
        } as const;
        return { admitted: false, refusal, limits: [], remaining: await remaining(ask.client) };
      }
      const refusal = refuseAtOnce(round);
      if (refusal?.reason === "open_per_minute") {
        // A day that is used up comes first, and what is left of it must be told anyway.
        const leftNow = await remaining(ask.client);
        return deny(round, refuseDay(round) ?? refusal, leftNow);
      }
      if (refusal !== undefined) return deny(round, refusal);
      // Between here and the peeks nothing has run: every take is admitted.
      for (const key of round.keys) round.window.take(key, round.at);
      const request = draft(round);
      if (!failing) return askBook(round, request);
      probe(round.at);
      return judgeAlone(round, request, false);
    },
  };
}

/** What the memory calls a client's or a pass's minute. */
function windowOf(policy: Round["policy"], key: string): string {
  return `${policy} ${key}`;
}

function passKey(id: string): string {
  return `pass:${id}`;
}

function usedByClient(request: AdmissionRequest, result: AdmissionResult): number {
  const name = request.counts[0]?.name;
  return name === undefined ? 0 : (result.used.get(name) ?? 0);
}

function inSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
