import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AdmissionLimits,
  type Admissions,
  type Client,
  createAdmissions,
  createClientNames,
  createGate,
  type LimitState,
  type SurveyAsk,
  type SurveyLeave,
} from "#gate";
import { type Clock, createClock } from "#kit";
import { type AdmissionRepository, type AdmissionRequest, openStore, type Store } from "#store";

/** Limits as they are without any setting. */
export const LIMITS: AdmissionLimits = {
  openPerDay: 5,
  openPerMinute: 15,
  openDailyTotal: 500,
  newPerMinute: 10,
  refreshPerMinute: 5,
};

/** A book in front of the real one, which can be taken away and whose questions are counted. */
export interface WatchedBook extends AdmissionRepository {
  /** Fails everything until it is set back: before the database is asked, or after it has answered. */
  failing: "no" | "before" | "after";
  /** Turns of the event loop on the way to the database and back. */
  turns: () => number;
  readonly takes: AdmissionRequest[];
  readonly reads: string[];
  /** Permits that were given back for good. */
  readonly returned: string[];
}

/** One process's admissions at a database, and what they told. */
export interface Desk extends Admissions {
  readonly book: WatchedBook;
  readonly outages: unknown[];
  readonly recoveries: number[];
  /** What it wants to be called back for; nobody does it of themselves. */
  readonly plans: { readonly ms: number; readonly then: () => void }[];
}

/** A database of its own and desks at it. */
export interface Office {
  readonly clock: Clock;
  readonly store: Store;
  openDesk(limits?: Partial<AdmissionLimits>): Desk;
  close(): Promise<void>;
}

/** An office on a new database in a file, or at a libSQL server. */
export async function openOffice(startMs?: number, url?: string): Promise<Office> {
  const folder = mkdtempSync(join(tmpdir(), "limpid-gate-"));
  const store = await openStore({
    url: url ?? `file:${join(folder, "limpid.db")}`,
    migrations: join(import.meta.dir, "../../drizzle"),
  });
  const clock = createClock(startMs);
  return {
    clock,
    store,
    openDesk(changed = {}) {
      const limits = { ...LIMITS, ...changed };
      const book = watch(store.admissions);
      const outages: unknown[] = [];
      const recoveries: number[] = [];
      const plans: { readonly ms: number; readonly then: () => void }[] = [];
      const admissions = createAdmissions({
        gate: createGate({
          lookupsPerMinute: 30,
          newPerMinute: limits.newPerMinute,
          refreshPerMinute: limits.refreshPerMinute,
          maxKeys: 10_000,
        }),
        permits: book,
        names: createClientNames("a secret of the tests"),
        limits,
        now: clock.now,
        newId: () => crypto.randomUUID(),
        after: (ms, then) => plans.push({ ms, then }),
        onOutage: (error) => outages.push(error),
        onRecovery: () => recoveries.push(clock.now()),
      });
      return { ...admissions, book, outages, recoveries, plans };
    },
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function watch(permits: AdmissionRepository): WatchedBook {
  async function pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (book.failing === "before") throw new Error("no database");
    await waitTurns(book.turns());
    const result = await work();
    await waitTurns(book.turns());
    if (book.failing === "after") throw new Error("the answer was lost");
    return result;
  }
  const book: WatchedBook = {
    failing: "no",
    turns: () => 0,
    takes: [],
    reads: [],
    returned: [],
    admit(request) {
      book.takes.push(request);
      return pass(() => permits.admit(request));
    },
    async refund(id) {
      await pass(() => permits.refund(id));
      book.returned.push(id);
    },
    read(day, names) {
      book.reads.push(names.join(" "));
      return pass(() => permits.read(day, names));
    },
  };
  return book;
}

async function waitTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export function clientOf(key: string): Client {
  return { key, exempt: false };
}

export function first(key: string, pass?: string): SurveyAsk {
  return { client: clientOf(key), kind: "new-ip", ...(pass === undefined ? {} : { pass }) };
}

export function refresh(key: string, pass?: string): SurveyAsk {
  return { client: clientOf(key), kind: "refresh", ...(pass === undefined ? {} : { pass }) };
}

/** An answer in one line: `granted 4`, or `client_day 0`. */
export function say(leave: SurveyLeave): string {
  return `${leave.admitted ? "granted" : leave.refusal.reason} ${leave.remaining}`;
}

/** Many asks, one after another. */
export async function askAll(desk: Admissions, asks: readonly SurveyAsk[]): Promise<string[]> {
  const said: string[] = [];
  for (const ask of asks) said.push(say(await desk.ask(ask)));
  return said;
}

export function repeat<Item>(times: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: times }, (_, index) => make(index));
}

export function stateOf(leave: SurveyLeave, policy: LimitState["policy"]): LimitState | undefined {
  return leave.limits.find((state) => state.policy === policy);
}

/** Waits until something that goes on in the background is so, and what follows it has run. */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!isSo() && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
  if (!isSo()) throw new Error("Cannot wait any longer: the background work has not ended");
  await new Promise((resolve) => setImmediate(resolve));
}
