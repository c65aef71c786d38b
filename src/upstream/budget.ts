import type { BudgetBook, BudgetEntry, BudgetGrant } from "./budget_book.ts";
import { createBudgetMemory } from "./budget_memory.ts";

/** A question that may be asked. */
export interface BudgetTicket {
  /** Returns it to the day it was taken from, since it was not asked; once, whatever is called. */
  giveBack(): void;
}

/** How many questions an id may still be asked today. A day is a UTC day. */
export interface Budget {
  /** Takes one question; undefined when today's are used up. Never rejects. */
  take(id: string): Promise<BudgetTicket | undefined>;
  /** What is left today; undefined = unbounded. */
  left(id: string): Promise<number | undefined>;
  /** Resolves when what was taken and given back is on record, or cannot be. */
  flush(): Promise<void>;
}

/** Where and how a budget counts. Times in milliseconds. */
export interface BudgetOptions {
  readonly now: () => number;
  /** Questions a day of an id; undefined = unbounded. */
  readonly limits: (id: string) => number | undefined;
  /** Counts for every process and every restart; without one this process counts for itself. */
  readonly book?: BudgetBook;
  /** Told once when the book fails, and again only after it has worked meanwhile. */
  readonly onOutage?: (error: unknown) => void;
  /** How long the book may take; default 1 000. */
  readonly patienceMs?: number;
}

/** What is asked of one id's count, gathered until the book is free. */
interface Request {
  readonly waiting: ((isGranted: boolean) => void)[];
  correction: number;
}

const DAY_MS = 86_400_000;
const PATIENCE_MS = 1_000;
/** A lock held by another process is mostly gone by then. */
const SECOND_TRY_MS = 30;
/** After a failure the book is left alone this long: a locked file blocks the process each time it is tried. */
const RETRY_MS = 5_000;
const UNBOUNDED: BudgetTicket = { giveBack() {} };

/**
 * Creates a {@link Budget}. Everything taken while the book is busy, or in one turn of the event loop, is settled
 * in one step: a survey costs one commit, and so do many at once. Nothing is granted before it is on record.
 * While the book fails this process counts on from what it knows, and tells the book when it is back; a step whose
 * outcome is unknown is counted as spent, so an outage may waste questions but never invents any.
 */
export function createBudget(options: BudgetOptions): Budget {
  const { now, limits, book } = options;
  const memory = createBudgetMemory();
  const requests = new Map<number, Map<string, Request>>();
  /** What the book was not told, by day and id. */
  const debts = new Map<number, Map<string, number>>();
  let working: Promise<void> | undefined;
  let isOut = false;
  let retryAtMs = Number.NEGATIVE_INFINITY;

  function today(): number {
    return Math.floor(now() / DAY_MS);
  }

  function requestOf(day: number, id: string): Request {
    const ofDay = requests.get(day) ?? new Map<string, Request>();
    requests.set(day, ofDay);
    const request = ofDay.get(id) ?? { waiting: [], correction: 0 };
    ofDay.set(id, request);
    working ??= work();
    return request;
  }

  async function work(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (const [day] of requests) {
      const ofDay = requests.get(day);
      requests.delete(day);
      if (ofDay !== undefined) await settle(day, ofDay);
    }
    working = undefined;
  }

  async function settle(day: number, ofDay: ReadonlyMap<string, Request>): Promise<void> {
    const entries = [...ofDay].map(([id, { waiting, correction }]) => ({
      id,
      limit: limits(id) ?? 0,
      wanted: waiting.length,
      correction,
    }));
    const grants = await record(day, entries);
    const granted = new Map(grants.map((grant) => [grant.id, grant.granted]));
    for (const [id, { waiting }] of ofDay) {
      const share = granted.get(id) ?? 0;
      for (const [at, answer] of waiting.entries()) answer(at < share);
    }
  }

  async function record(day: number, entries: readonly BudgetEntry[]): Promise<readonly BudgetGrant[]> {
    if (book === undefined) return memory.settle(day, entries);
    const isTried = now() >= retryAtMs;
    if (isTried) {
      const owing = withDebts(entries, debts.get(day), limits);
      try {
        const grants = await tryTwice(book, day, owing, options.patienceMs ?? PATIENCE_MS);
        memory.learn(day, owing, grants);
        debts.delete(day);
        isOut = false;
        return grants;
      } catch (error) {
        retryAtMs = now() + RETRY_MS;
        if (!isOut) options.onOutage?.(error);
        isOut = true;
      }
    }
    const grants = memory.settle(day, entries);
    runIntoDebt(day, entries, grants, isTried);
    return grants;
  }

  /** A step that was tried may have been written after all; nothing is given back twice. */
  function runIntoDebt(
    day: number,
    entries: readonly BudgetEntry[],
    grants: readonly BudgetGrant[],
    isTried: boolean,
  ): void {
    for (const known of debts.keys()) if (known < today() - 1) debts.delete(known);
    const ofDay = debts.get(day) ?? new Map<string, number>();
    debts.set(day, ofDay);
    const corrections = new Map(entries.map(({ id, correction }) => [id, correction]));
    for (const id of new Set([...ofDay.keys(), ...corrections.keys()])) {
      const before = (ofDay.get(id) ?? 0) + (corrections.get(id) ?? 0);
      const granted = grants.find((grant) => grant.id === id)?.granted ?? 0;
      ofDay.set(id, (isTried ? Math.max(0, before) : before) + granted);
    }
  }

  return {
    async take(id) {
      if (limits(id) === undefined) return UNBOUNDED;
      const day = today();
      const { waiting } = requestOf(day, id);
      const isGranted = await new Promise<boolean>((resolve) => waiting.push(resolve));
      if (!isGranted) return undefined;
      let isOpen = true;
      return {
        giveBack() {
          if (isOpen) requestOf(day, id).correction -= 1;
          isOpen = false;
        },
      };
    },
    async left(id) {
      const limit = limits(id);
      if (limit === undefined) return undefined;
      await working;
      const day = today();
      const counts = isOut ? undefined : await book?.read(day).catch(() => undefined);
      return Math.max(0, limit - ((counts ?? memory.read(day)).get(id) ?? 0));
    },
    async flush() {
      await working;
      for (const day of debts.keys()) if (!requests.has(day)) requests.set(day, new Map());
      if (requests.size === 0) return;
      retryAtMs = Number.NEGATIVE_INFINITY;
      working ??= work();
      await working;
    },
  };
}

/** The entries with what is owed, and an entry for every id that only owes. */
function withDebts(
  entries: readonly BudgetEntry[],
  debts: ReadonlyMap<string, number> | undefined,
  limits: (id: string) => number | undefined,
): readonly BudgetEntry[] {
  if (debts === undefined) return entries;
  const named = new Set(entries.map(({ id }) => id));
  const others = [...debts.keys()].filter((id) => !named.has(id));
  const silent = others.map((id) => ({ id, limit: limits(id) ?? 0, wanted: 0, correction: 0 }));
  return [...entries, ...silent].map((entry) => ({
    ...entry,
    correction: entry.correction + (debts.get(entry.id) ?? 0),
  }));
}

/**
 * The first try may have been written although it failed, so the second gives nothing back.
 * @throws whatever the second failure was, or that it took too long.
 */
async function tryTwice(
  book: BudgetBook,
  day: number,
  entries: readonly BudgetEntry[],
  patienceMs: number,
): Promise<readonly BudgetGrant[]> {
  let timer: Timer | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Cannot count questions within ${patienceMs} ms`)), patienceMs);
  });
  const attempt = book.settle(day, entries).catch(async () => {
    await Bun.sleep(SECOND_TRY_MS);
    return book.settle(
      day,
      entries.map((entry) => ({ ...entry, correction: Math.max(0, entry.correction) })),
    );
  });
  try {
    return await Promise.race([attempt, patience]);
  } finally {
    clearTimeout(timer);
    attempt.catch(() => undefined);
  }
}
