import { DAY_MS } from "#common";
import { within } from "#concurrency";

/** One step on the daily count of an id: add the correction, then grant up to `wanted` requests. */
export interface BudgetRequest {
  readonly id: string;
  /** Maximum number of requests on that day. */
  readonly limit: number;
  readonly wanted: number;
  /** Added to the count: positive for requests that were sent but not counted, negative for the opposite. */
  readonly correction: number;
}

export interface BudgetResult {
  readonly id: string;
  readonly granted: number;
  /** Number of requests on that day, after this step. */
  readonly used: number;
}

/** Keeps the counts by day and id for every process that shares it. A day is a number of UTC days since the epoch. */
export interface BudgetRepository {
  /**
   * Settles all requests in one step. A request without a result has reached its limit. Rejects when it cannot be
   * written.
   */
  settle(day: number, requests: readonly BudgetRequest[]): Promise<readonly BudgetResult[]>;
  /** Counts of that day, by id. */
  read(day: number): Promise<ReadonlyMap<string, number>>;
}

/** A request that is counted and may be sent. */
export interface Reservation {
  /** Gives the request back to the day it was taken from, because it was not sent. Further calls do nothing. */
  release(): void;
}

/** Limits how many requests each id may send on a UTC day. */
export type DailyBudget = ReturnType<typeof createDailyBudget>;

/** The reservations and the correction of one id that wait for the next step. */
interface Pending {
  readonly waiting: ((isReserved: boolean) => void)[];
  correction: number;
}

const TIMEOUT_MS = 1_000;
/** Another process usually releases its lock within this time. */
const SECOND_TRY_MS = 30;
/** The pause after a failure, because every attempt on a locked file blocks the process. */
const RETRY_MS = 5_000;
/** A release after midnight belongs to the day before, so two days are kept in memory. */
const KEPT_DAYS = 2;
const UNLIMITED: Reservation = { release() {} };

/**
 * Creates a {@link DailyBudget}. All reservations of one turn of the event loop, or made while the repository is busy,
 * are settled in one step, so a survey needs one commit. Nothing is granted before it is written. While the repository
 * fails, this process counts in memory and writes the difference when the repository works again. A step with an
 * unknown result counts as used: an outage may waste requests, but never grants too many. Times are in milliseconds.
 */
export function createDailyBudget(options: {
  readonly now: () => number;
  /** Requests a day of an id; undefined = no limit. */
  readonly limits: (id: string) => number | undefined;
  /** Counts for all processes and across restarts. Without it the process keeps its own counts. */
  readonly repository?: BudgetRepository;
  /** Called when the repository fails, once until it works again. */
  readonly onOutage?: (error: unknown) => void;
  /** How long the repository may take; default 1 000. */
  readonly timeoutMs?: number;
}) {
  const { now, limits, repository } = options;
  const memory = createDayCounts();
  const pending = new Map<number, Map<string, Pending>>();
  /** Corrections that are not written to the repository yet, by day and id. */
  const unwritten = new Map<number, Map<string, number>>();
  let working: Promise<void> | undefined;
  let isOut = false;
  let retryAtMs = Number.NEGATIVE_INFINITY;

  function today(): number {
    return Math.floor(now() / DAY_MS);
  }

  function pendingOf(day: number, id: string): Pending {
    const ofDay = pending.get(day) ?? new Map<string, Pending>();
    pending.set(day, ofDay);
    const ofId = ofDay.get(id) ?? { waiting: [], correction: 0 };
    ofDay.set(id, ofId);
    working ??= work();
    return ofId;
  }

  async function work(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (const [day] of pending) {
      const ofDay = pending.get(day);
      pending.delete(day);
      if (ofDay !== undefined) await settle(day, ofDay);
    }
    working = undefined;
  }

  async function settle(day: number, ofDay: ReadonlyMap<string, Pending>): Promise<void> {
    const requests = [...ofDay].map(([id, { waiting, correction }]) => ({
      id,
      limit: limits(id) ?? 0,
      wanted: waiting.length,
      correction,
    }));
    const results = await record(day, requests);
    const granted = new Map(results.map((result) => [result.id, result.granted]));
    for (const [id, { waiting }] of ofDay) {
      const count = granted.get(id) ?? 0;
      for (const [at, answer] of waiting.entries()) answer(at < count);
    }
  }

  async function record(day: number, requests: readonly BudgetRequest[]): Promise<readonly BudgetResult[]> {
    if (repository === undefined) return memory.settle(day, requests);
    const isTried = now() >= retryAtMs;
    if (isTried) {
      const complete = withUnwritten(requests, unwritten.get(day), limits);
      try {
        const results = await tryTwice(repository, day, complete, options.timeoutMs ?? TIMEOUT_MS);
        memory.learn(day, complete, results);
        unwritten.delete(day);
        isOut = false;
        return results;
      } catch (error) {
        retryAtMs = now() + RETRY_MS;
        if (!isOut) options.onOutage?.(error);
        isOut = true;
      }
    }
    const results = memory.settle(day, requests);
    noteUnwritten(day, requests, results, isTried);
    return results;
  }

  /** Adds to the unwritten corrections. A step that was tried may be written, so it is not released again. */
  function noteUnwritten(
    day: number,
    requests: readonly BudgetRequest[],
    results: readonly BudgetResult[],
    isTried: boolean,
  ): void {
    for (const known of unwritten.keys()) if (known < today() - 1) unwritten.delete(known);
    const ofDay = unwritten.get(day) ?? new Map<string, number>();
    unwritten.set(day, ofDay);
    const corrections = new Map(requests.map(({ id, correction }) => [id, correction]));
    for (const id of new Set([...ofDay.keys(), ...corrections.keys()])) {
      const before = (ofDay.get(id) ?? 0) + (corrections.get(id) ?? 0);
      const granted = results.find((result) => result.id === id)?.granted ?? 0;
      ofDay.set(id, (isTried ? Math.max(0, before) : before) + granted);
    }
  }

  return {
    /** Reserves one request; undefined when today's are used up. Never rejects. */
    async reserve(id: string): Promise<Reservation | undefined> {
      if (limits(id) === undefined) return UNLIMITED;
      const day = today();
      const { waiting } = pendingOf(day, id);
      const isReserved = await new Promise<boolean>((resolve) => waiting.push(resolve));
      if (!isReserved) return undefined;
      let isOpen = true;
      return {
        release() {
          if (isOpen) pendingOf(day, id).correction -= 1;
          isOpen = false;
        },
      };
    },
    /** How many are left today; undefined = no limit. */
    async remaining(id: string): Promise<number | undefined> {
      const limit = limits(id);
      if (limit === undefined) return undefined;
      await working;
      const day = today();
      const counts = isOut ? undefined : await repository?.read(day).catch(() => undefined);
      return Math.max(0, limit - ((counts ?? memory.read(day)).get(id) ?? 0));
    },
    /** Resolves when all reservations and releases are written, or cannot be written. */
    async flush(): Promise<void> {
      await working;
      for (const day of unwritten.keys()) if (!pending.has(day)) pending.set(day, new Map());
      if (pending.size === 0) return;
      retryAtMs = Number.NEGATIVE_INFINITY;
      working ??= work();
      await working;
    },
  };
}

/** The requests with the unwritten corrections added, and one more request for every other id that has a correction. */
function withUnwritten(
  requests: readonly BudgetRequest[],
  unwritten: ReadonlyMap<string, number> | undefined,
  limits: (id: string) => number | undefined,
): readonly BudgetRequest[] {
  if (unwritten === undefined) return requests;
  const named = new Set(requests.map(({ id }) => id));
  const others = [...unwritten.keys()].filter((id) => !named.has(id));
  const more = others.map((id) => ({ id, limit: limits(id) ?? 0, wanted: 0, correction: 0 }));
  return [...requests, ...more].map((request) => ({
    ...request,
    correction: request.correction + (unwritten.get(request.id) ?? 0),
  }));
}

/**
 * Settles, and tries again once. The first attempt may have been written although it failed, so the second one releases
 * nothing.
 * @throws the second failure, or an error when both take longer than `timeoutMs`
 */
async function tryTwice(
  repository: BudgetRepository,
  day: number,
  requests: readonly BudgetRequest[],
  timeoutMs: number,
): Promise<readonly BudgetResult[]> {
  const attempt = repository.settle(day, requests).catch(async () => {
    await Bun.sleep(SECOND_TRY_MS);
    return repository.settle(
      day,
      requests.map((request) => ({ ...request, correction: Math.max(0, request.correction) })),
    );
  });
  const results = await within(attempt, timeoutMs);
  if (results === undefined) throw new Error(`Cannot count requests within ${timeoutMs} ms`);
  return results;
}

/** Creates the counts of days in memory, as far as this process knows them, all zero. */
export function createDayCounts() {
  const days = new Map<number, Map<string, number>>();

  function usedOn(day: number): Map<string, number> {
    const known = days.get(day);
    if (known !== undefined) return known;
    const used = new Map<string, number>();
    days.set(day, used);
    for (const oldest of [...days.keys()].sort((a, b) => a - b).slice(0, -KEPT_DAYS)) days.delete(oldest);
    return used;
  }

  return {
    settle(day: number, requests: readonly BudgetRequest[]): readonly BudgetResult[] {
      const counts = usedOn(day);
      return requests.map(({ id, limit, wanted, correction }) => {
        const before = Math.max(0, (counts.get(id) ?? 0) + correction);
        const granted = Math.max(0, Math.min(wanted, limit - before));
        counts.set(id, before + granted);
        return { id, granted, used: before + granted };
      });
    },
    /** Replaces the counts by the results of the repository. A request without a result has reached its limit. */
    learn(day: number, requests: readonly BudgetRequest[], results: readonly BudgetResult[]): void {
      const counts = usedOn(day);
      for (const { id, limit } of requests) counts.set(id, limit);
      for (const { id, used } of results) counts.set(id, used);
    },
    read: (day: number): ReadonlyMap<string, number> => days.get(day) ?? new Map(),
  };
}
