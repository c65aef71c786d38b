import { join } from "node:path";
import { type Clock, createClock, createTemporaryFolder, MIGRATIONS, writeEmptyDatabase } from "#kit";
import {
  type Admission,
  type AdmissionLimits,
  type AdmissionRequest,
  type Admissions,
  type Client,
  createAdmissions,
  createClientNames,
} from "#limits";
import { type AdmissionRepository, openStore, type Store } from "#store";

/** The default limits. */
export const LIMITS: AdmissionLimits = {
  openPerDay: 5,
  openPerMinute: 15,
  openDailyTotal: 500,
  newPerMinute: 10,
  refreshPerMinute: 5,
};

/** A repository in front of the real one that can fail and counts its calls. */
export interface WatchedRepository extends AdmissionRepository {
  /** Makes every call fail until it is reset: before the database is called, or after it has answered. */
  failing: "no" | "before" | "after";
  /** Turns of the event loop on the way to the database and back. */
  turns: () => number;
  /** The names that each call charged or read. */
  readonly takes: string[];
  readonly reads: string[];
  /** The names of each refund that succeeded. */
  readonly returned: string[];
}

/** The admissions of one process on a database, and the calls they made. */
export interface TestAdmissions extends Admissions {
  readonly repository: WatchedRepository;
  readonly outages: unknown[];
  readonly recoveries: number[];
}

/** A new database and processes on it. */
export interface TestDatabase {
  readonly clock: Clock;
  readonly store: Store;
  openAdmissions(limits?: Partial<AdmissionLimits>): TestAdmissions;
  close(): Promise<void>;
}

/** Creates a new database in a file or on a libSQL server. */
export async function openTestDatabase(startMs?: number, url?: string): Promise<TestDatabase> {
  const folder = createTemporaryFolder("limpid-gate-");
  if (url === undefined) await writeEmptyDatabase(join(folder, "limpid.db"));
  const store = await openStore({
    url: url ?? `file:${join(folder, "limpid.db")}`,
    migrations: MIGRATIONS,
  });
  const clock = createClock(startMs);
  return {
    clock,
    store,
    openAdmissions(changed = {}) {
      const limits = { ...LIMITS, ...changed };
      const repository = watch(store.admissions);
      const outages: unknown[] = [];
      const recoveries: number[] = [];
      const admissions = createAdmissions({
        repository,
        names: createClientNames("a secret of the tests"),
        limits,
        now: clock.now,
        onOutage: (error) => outages.push(error),
        onRecovery: () => recoveries.push(clock.now()),
      });
      return { ...admissions, repository, outages, recoveries };
    },
    async close() {
      await store.close();
    },
  };
}

function watch(admissions: AdmissionRepository): WatchedRepository {
  async function pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (repository.failing === "before") throw new Error("no database");
    await waitTurns(repository.turns());
    const result = await work();
    await waitTurns(repository.turns());
    if (repository.failing === "after") throw new Error("the answer was lost");
    return result;
  }
  const repository: WatchedRepository = {
    failing: "no",
    turns: () => 0,
    takes: [],
    reads: [],
    returned: [],
    admit(now, charges) {
      repository.takes.push(listNames(charges));
      return pass(() => admissions.admit(now, charges));
    },
    async refund(charges) {
      await pass(() => admissions.refund(charges));
      repository.returned.push(listNames(charges));
    },
    read(now, charges) {
      repository.reads.push(listNames(charges));
      return pass(() => admissions.read(now, charges));
    },
  };
  return repository;
}

function listNames(charges: readonly { readonly name: string; readonly earlierName?: string }[]): string {
  return charges.map(({ name, earlierName = "" }) => `${name} ${earlierName}`).join(" ");
}

async function waitTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export function clientOf(key: string): Client {
  return { key, exempt: false };
}

export function first(key: string, pass?: string): AdmissionRequest {
  return { client: clientOf(key), kind: "new-ip", ...(pass === undefined ? {} : { passId: pass }) };
}

export function refresh(key: string, pass?: string): AdmissionRequest {
  return { client: clientOf(key), kind: "refresh", ...(pass === undefined ? {} : { passId: pass }) };
}

/** Formats an answer as one line: `granted 4`, or `client_day 0`. */
export function say(admission: Admission): string {
  return `${admission.admitted ? "granted" : admission.refusal.reason} ${admission.remaining}`;
}

/** Sends many requests, one after another. */
export async function askAll(admissions: Admissions, asks: readonly AdmissionRequest[]): Promise<string[]> {
  const said: string[] = [];
  for (const ask of asks) said.push(say(await admissions.request(ask)));
  return said;
}

/** Sends one request several times. */
export function askTimes(admissions: Admissions, times: number, ask: AdmissionRequest): Promise<string[]> {
  return askAll(
    admissions,
    repeat(times, () => ask),
  );
}

export function repeat<Item>(times: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: times }, (_, index) => make(index));
}

/** Waits until a condition of background work is true, and the work after it has run. */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!isSo() && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
  if (!isSo()) throw new Error("Cannot wait any longer: the background work has not ended");
  await new Promise((resolve) => setImmediate(resolve));
}
