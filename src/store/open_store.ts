import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Client, createClient } from "@libsql/client";
import {
  createAdmissionRepository,
  createBudgetRepository,
  createChallengeRepository,
} from "./allowances.ts";
import { describeFailure, retryLocked } from "./failures.ts";
import { applyMigrations } from "./migrations.ts";
import { createRatingRepository } from "./ratings/rating_repository.ts";
import { createFileGuard, createFileReader } from "./reports/file_reader.ts";
import { createReportRepository } from "./reports/report_repository.ts";
import { createServerClient } from "./server_client.ts";
import { PING } from "./statements.ts";
import { type FoundReport, type Store, StoreError } from "./store.ts";
import { createWatchRepository } from "./watch/watch_repository.ts";

/** A write to a locked database blocks the event loop for at most this time. It is retried later. */
const BUSY_TIMEOUT_MS = 20;

const DEADLINE_MS = 2000;

const MIGRATION_DEADLINE_MS = 30_000;

export interface StoreOptions {
  /** `file:PATH` for an embedded database, or the `http(s)://` or `libsql://` URL of a libSQL server. */
  readonly url: string;
  readonly token?: string;
  readonly migrations: string;
  /** A statement that a server does not answer within this time fails; default 2000. */
  readonly deadlineMs?: number;
  /** Called after each operation, with its metric's label. Must not throw. */
  readonly onOperation?: (operation: StoreOperation, outcome: "ok" | "failed", seconds: number) => void;
}

/** The groups of operations that are counted apart. */
export type StoreOperation =
  | "find"
  | "find_survey"
  | "save"
  | "rescore"
  | "history"
  | "budgets"
  | "permits"
  | "challenges"
  | "votes"
  | "watch"
  | "ping";

/** The path of a `file:` URL; undefined for a server. */
export function databasePath(url: string): string | undefined {
  return url.startsWith("file:") ? url.slice("file:".length) : undefined;
}

/** The name of a database in messages: its path, or the host of its server. Never the token. */
export function databaseName(url: string): string {
  return `database "${databasePath(url) ?? new URL(url).host}"`;
}

/**
 * Opens the database and applies missing migrations. An embedded database runs in WAL mode with SQLite's default
 * `synchronous=FULL`: a commit that returned is on disk. When a server is down, this call rejects after `deadlineMs`.
 * When it goes down later, each operation rejects within that time until the server works again.
 * @throws {StoreError} naming the database, when it cannot be opened, is not an SQLite database, or is damaged.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const path = databasePath(options.url);
  const name = databaseName(options.url);
  if (path !== undefined) checkFile(path, name);

  let client: Client | undefined;
  try {
    if (path !== undefined) mkdirSync(dirname(path), { recursive: true });
    client = connect(options, options.deadlineMs ?? DEADLINE_MS);
    const opened = client;
    if (path !== undefined) await retryLocked(opened, () => opened.execute("PRAGMA journal_mode=WAL"));
    await applyMigrations(client, options.migrations, () => connect(options, MIGRATION_DEADLINE_MS));
    return createStore(client, name, path === undefined ? undefined : openFile(path), options.onOperation);
  } catch (error) {
    client?.close();
    throw new StoreError(`Cannot open ${name}: ${describeFailure(error)}`, { cause: error });
  }
}

/** Opens the file of an embedded database, to check and read it without the client. */
function openFile(path: string) {
  const checkSameFile = createFileGuard(path);
  return { checkSameFile, reader: createFileReader(path, { busyTimeoutMs: BUSY_TIMEOUT_MS, checkSameFile }) };
}

function connect({ url, token }: StoreOptions, deadlineMs: number): Client {
  if (databasePath(url) !== undefined) return createClient({ url, timeout: BUSY_TIMEOUT_MS });
  return createServerClient({ url, deadlineMs, ...(token === undefined ? {} : { token }) });
}

/** The first bytes of a file; undefined when it is missing or shorter. */
export function readStart(path: string, length: number): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = Buffer.alloc(length);
  const file = openSync(path, "r");
  try {
    return readSync(file, bytes, 0, length, 0) === length ? bytes : undefined;
  } finally {
    closeSync(file);
  }
}

/**
 * Rejects a file that is not an SQLite database before libSQL opens it, so that the file stays unchanged.
 * https://www.sqlite.org/fileformat2.html#the_database_header
 */
function checkFile(path: string, name: string): void {
  if (!existsSync(path)) return;
  const size = statSync(path).size;
  if (size === 0) return;
  const header = readStart(path, 100);
  if (header?.toString("latin1", 0, 16) !== "SQLite format 3\0") {
    throw new StoreError(`Cannot open ${name}: the file is not an SQLite database`);
  }
  const written = header.readUInt16BE(16);
  const pageSize = written === 1 ? 65_536 : written;
  const pages = header.readUInt32BE(28);
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0) {
    throw new StoreError(`Cannot open ${name}: the file's header is damaged (page size ${pageSize})`);
  }
  if (!existsSync(`${path}-wal`) && pages * pageSize > size) {
    throw new StoreError(`Cannot open ${name}: the file is truncated (${size} of ${pages * pageSize} bytes)`);
  }
}

/**
 * Combines the repositories. Every operation is retried while the database is locked, and rejects with {@link
 * StoreError}.
 */
function createStore(
  client: Client,
  name: string,
  file: ReturnType<typeof openFile> | undefined,
  onOperation: StoreOptions["onOperation"],
): Store {
  const reports = createReportRepository(client, file?.reader);
  const budgets = createBudgetRepository(client);
  const admissions = createAdmissionRepository(client);
  const challenges = createChallengeRepository(client);
  const ratings = createRatingRepository(client);
  const watches = createWatchRepository(client);

  async function attempt<Result>(
    operation: StoreOperation,
    what: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const startedAt = performance.now();
    let outcome: "ok" | "failed" = "failed";
    try {
      const result = await retryLocked(client, work);
      outcome = "ok";
      return result;
    } catch (error) {
      throw new StoreError(`Cannot ${what} ${name}: ${describeFailure(error)}`, { cause: error });
    } finally {
      onOperation?.(operation, outcome, (performance.now() - startedAt) / 1000);
    }
  }

  /** Checks the file before and after a write: a write to a removed file is lost at the next start. */
  function change<Result>(operation: StoreOperation, what: string, work: () => Promise<Result>) {
    return attempt(operation, what, async () => {
      file?.checkSameFile();
      const result = await work();
      file?.checkSameFile();
      return result;
    });
  }

  /** Only a found report is counted: without one the caller calls `find`, which counts. */
  function findSync(address: string): FoundReport | undefined {
    const startedAt = performance.now();
    const found = reports.findSync(address);
    if (found !== undefined) onOperation?.("find", "ok", (performance.now() - startedAt) / 1000);
    return found;
  }

  return {
    ...(file === undefined ? {} : { findSync }),
    async find(address) {
      const found = file === undefined ? undefined : findSync(address);
      return found ?? attempt("find", "read a report from", () => reports.find(address));
    },
    findSurvey: (address) => attempt("find_survey", "read a survey from", () => reports.findSurvey(address)),
    save: (report, survey) => change("save", "write a report to", () => reports.save(report, survey)),
    rescore: (report) => change("rescore", "write a report to", () => reports.rescore(report)),
    history: (address) => attempt("history", "read a history from", () => reports.history(address)),
    budgets: {
      settle: (day, entries) => change("budgets", "write budgets to", () => budgets.settle(day, entries)),
      read: (day) => attempt("budgets", "read budgets from", () => budgets.read(day)),
    },
    admissions: {
      admit: (now, charges) =>
        change("permits", "write an admission to", () => admissions.admit(now, charges)),
      refund: (charges) => change("permits", "refund an admission in", () => admissions.refund(charges)),
      read: (now, charges) => attempt("permits", "read admissions from", () => admissions.read(now, charges)),
    },
    challenges: {
      use: (id, expiresAt, now) =>
        change("challenges", "write a challenge to", () => challenges.use(id, expiresAt, now)),
    },
    ratings: {
      saveVote: (vote) => change("votes", "write a vote to", () => ratings.saveVote(vote)),
      read: (address) => attempt("votes", "read votes from", () => ratings.read(address)),
    },
    watches: {
      readDue: () => attempt("watch", "read a watch from", () => watches.readDue()),
      plan: (...args) => change("watch", "write a watch to", () => watches.plan(...args)),
      take: (...args) => change("watch", "write a watch to", () => watches.take(...args)),
      save: (...args) => change("watch", "write a watch to", () => watches.save(...args)),
      readEvents: (...args) => attempt("watch", "read events from", () => watches.readEvents(...args)),
      readWaiting: (...args) => attempt("watch", "read events from", () => watches.readWaiting(...args)),
      attempt: (...args) => change("watch", "write an event to", () => watches.attempt(...args)),
      markSent: (id) => change("watch", "write an event to", () => watches.markSent(id)),
      countWaiting: () => attempt("watch", "read events from", () => watches.countWaiting()),
      prune: (before) => change("watch", "delete events from", () => watches.prune(before)),
    },
    ping: () => change("ping", "query", async () => void (await client.execute(PING))),
    async close() {
      file?.reader.close();
      // The driver would leave the write-ahead log beside the file. After this statement the file is the whole
      // database.
      if (file !== undefined) await client.execute("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
      client.close();
    },
  };
}
