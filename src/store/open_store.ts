import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Client, createClient } from "@libsql/client";
import { and, desc, eq, lte, notInArray, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Assessment } from "#report";
import { bringUpToDate } from "./bring_up_to_date.ts";
import { createBudgetBook } from "./budget_book.ts";
import type { Cast } from "./cast.ts";
import { createCastBook } from "./cast_book.ts";
import { createChallengeBook } from "./challenge_book.ts";
import { createFileGuard } from "./create_file_guard.ts";
import { createRowReader, type RowReader } from "./create_row_reader.ts";
import { createServerClient } from "./create_server_client.ts";
import { describeFailure } from "./describe_failure.ts";
import { HISTORY_LIMIT } from "./history_limit.ts";
import { isDamaged } from "./is_damaged.ts";
import { isExact } from "./is_exact.ts";
import { createPermitBook } from "./permit_book.ts";
import { readAssessment, readAssessmentNow } from "./read_assessment.ts";
import { readSurvey } from "./read_survey.ts";
import { readText } from "./read_text.ts";
import { describeRow, FIND, FIND_SURVEY, FIND_VOTED } from "./report_rows.ts";
import { retryLocked } from "./retry_locked.ts";
import { casts, history, reports } from "./schema.ts";
import {
  type FoundReport,
  type HistoryEntry,
  type Store,
  type StoredName,
  type StoredReport,
  StoreError,
} from "./store.ts";
import { createVoteBook } from "./vote_book.ts";
import { sealAssessment, writeDocuments } from "./write_documents.ts";

/** A write that meets a lock blocks the event loop for this long at most, and is then tried again a little later. */
const BUSY_TIMEOUT_MS = 20;

/** A server that has not answered a statement by then is given up. */
const DEADLINE_MS = 2000;

/** A server may take longer over a change of the schema. */
const MIGRATION_DEADLINE_MS = 30_000;

/** Where the database is, and the generated SQL that brings it up to date. */
export interface StoreOptions {
  /** `file:PATH` for the embedded database, or the `http(s)://` / `libsql://` URL of a libSQL server. */
  readonly url: string;
  readonly token?: string;
  /** Folder of the generated migrations. */
  readonly migrations: string;
  /** A server that does not answer a statement within this time fails it; default 2000. */
  readonly deadlineMs?: number;
}

/**
 * Opens the database, brings its schema up to date, and serves the store's queries, each prepared once.
 * An embedded database runs in WAL mode with SQLite's default `synchronous=FULL`: a commit that returned is on disk.
 * A server that is down at the start is given up after `deadlineMs`; one that goes down later fails what is asked of it
 * within that time, and serves again when it is back.
 * @throws {StoreError} naming the database, when it cannot be opened, is no database, or is damaged.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const path = options.url.startsWith("file:") ? options.url.slice("file:".length) : undefined;
  const name = path === undefined ? `database "${new URL(options.url).host}"` : `database "${path}"`;
  if (path !== undefined) checkFile(path, name);

  let client: Client | undefined;
  try {
    if (path !== undefined) mkdirSync(dirname(path), { recursive: true });
    client = connect(options, options.deadlineMs ?? DEADLINE_MS);
    const opened = client;
    if (path !== undefined) await retryLocked(opened, () => opened.execute("PRAGMA journal_mode=WAL"));
    await bringUpToDate(client, options.migrations, () => connect(options, MIGRATION_DEADLINE_MS));
    return serve(client, name, path === undefined ? undefined : openFile(path));
  } catch (error) {
    client?.close();
    throw new StoreError(`Cannot open ${name}: ${describeFailure(error)}`, { cause: error });
  }
}

/** An embedded database's file beside its client. */
interface OwnFile {
  /** Throws when the file is no longer where it was. */
  readonly checkPlace: () => void;
  readonly reader: RowReader;
}

function openFile(path: string): OwnFile {
  const checkPlace = createFileGuard(path);
  return { checkPlace, reader: createRowReader(path, { busyTimeoutMs: BUSY_TIMEOUT_MS, checkPlace }) };
}

function connect({ url, token }: StoreOptions, deadlineMs: number): Client {
  if (url.startsWith("file:")) return createClient({ url, timeout: BUSY_TIMEOUT_MS });
  return createServerClient({ url, deadlineMs, ...(token === undefined ? {} : { token }) });
}

/**
 * Refuses what is plainly no SQLite database before libSQL touches it, so that the file stays as it was.
 * Format: https://www.sqlite.org/fileformat2.html#the_database_header
 */
function checkFile(path: string, name: string): void {
  if (!existsSync(path)) return;
  const size = statSync(path).size;
  if (size === 0) return;
  const header = Buffer.alloc(100);
  const file = openSync(path, "r");
  try {
    const read = readSync(file, header, 0, 100, 0);
    if (read < 100 || header.toString("latin1", 0, 16) !== "SQLite format 3\0") {
      throw new StoreError(`Cannot open ${name}: the file is not an SQLite database`);
    }
  } finally {
    closeSync(file);
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

/** Damage can make a text, and one that is no UTF-8, of any value: see {@link readText}. */
function asInteger(column: SQLiteColumn) {
  return sql`CAST(${column} AS INTEGER)`.mapWith(Number);
}

/** `file` is that of an embedded database. */
function serve(client: Client, name: string, file: OwnFile | undefined): Store {
  const embedded = file !== undefined;
  const db = drizzle(client);
  const address = sql.placeholder("address");

  const findHistory = db
    .select({
      surveyedAt: asInteger(history.surveyedAt),
      purity: asInteger(history.purity),
      band: sql`CAST(${history.band} AS BLOB)`.mapWith(readText),
      scoringVersion: asInteger(history.scoringVersion),
    })
    .from(history)
    .where(eq(history.address, address))
    .orderBy(desc(history.surveyedAt), desc(history.scoringVersion))
    .limit(HISTORY_LIMIT)
    .prepare();
  const findNewest = db
    .select({
      address: sql`CAST(${reports.address} AS BLOB)`.mapWith(readText),
      surveyedAt: asInteger(reports.surveyedAt),
    })
    .from(reports)
    .orderBy(desc(reports.surveyedAt), desc(reports.address))
    .limit(sql.placeholder("limit"))
    .prepare();

  async function attempt<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await retryLocked(client, work);
    } catch (error) {
      throw new StoreError(`Cannot ${what} ${name}: ${describeFailure(error)}`, { cause: error });
    }
  }

  /** What is acknowledged stands in a file that the next start will find. */
  function change<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    return attempt(what, async () => {
      file?.checkPlace();
      const result = await work();
      file?.checkPlace();
      return result;
    });
  }

  /** Writes a cast, and mends one that was damaged. */
  function keepCast({ id, content }: Cast) {
    return db
      .insert(casts)
      .values({ id, content })
      .onConflictDoUpdate({
        target: casts.id,
        set: { content },
        setWhere: sql`${casts.content} <> ${content}`,
      });
  }

  /** The statements that add a conclusion to the history and keep that within its limit. */
  function append({ address: text, surveyedAt, assessment: { purity, band, scoringVersion } }: StoredReport) {
    const conclusion = { address: text, surveyedAt, purity, band, scoringVersion };
    const newest = db
      .select({ row: sql`rowid` })
      .from(history)
      .where(eq(history.address, text))
      .orderBy(desc(history.surveyedAt), desc(history.scoringVersion))
      .limit(HISTORY_LIMIT);
    return [
      db
        .insert(history)
        .values(conclusion)
        .onConflictDoUpdate({
          target: [history.address, history.surveyedAt, history.scoringVersion],
          set: conclusion,
        }),
      db.delete(history).where(and(eq(history.address, text), notInArray(sql`rowid`, newest))),
    ] as const;
  }

  const castBook = createCastBook();
  const budgets = createBudgetBook(client);
  const permits = createPermitBook(client);
  const challenges = createChallengeBook(client);
  const votes = createVoteBook(client);

  /**
   * Reads a report without waiting; undefined where that does not go and the client is to be asked.
   * @throws what the database says of damage: in another connection's memory the same row may seem not to be there.
   */
  function readNow(text: string): { readonly report: FoundReport | undefined } | undefined {
    if (file === undefined) return undefined;
    try {
      const plain = file.reader.first(FIND, [text]);
      const isVoted = plain?.[3] === 1;
      const row = isVoted ? file.reader.first(FIND_VOTED, [text]) : plain;
      if (row === undefined) return { report: undefined };
      if (!isExact(row[0]) || !isExact(row[1])) return undefined;
      const assessment = readAssessmentNow(text, row[2], castBook);
      return assessment && { report: join(describeRow(text, row, isVoted), assessment) };
    } catch (error) {
      if (isDamaged(error)) throw error;
      return undefined;
    }
  }

  function findNow(text: string): FoundReport | undefined {
    try {
      return readNow(text)?.report;
    } catch {
      return undefined;
    }
  }

  return {
    ...(embedded ? { findNow } : {}),
    find(text): Promise<FoundReport | undefined> {
      return attempt("read a report from", async () => {
        const now = readNow(text);
        if (now !== undefined) return now.report;
        const first = async (sql: string) => (await client.execute({ sql, args: [text] })).rows[0];
        const plain = await first(FIND);
        const isVoted = plain?.[3] === 1;
        const row = isVoted ? await first(FIND_VOTED) : plain;
        if (row === undefined) return undefined;
        const assessment = await readAssessment(text, row[2], castBook, client);
        return join(describeRow(text, row, isVoted), assessment);
      });
    },
    findSurvey(text) {
      return attempt("read a survey from", async () => {
        const { rows } = await client.execute({ sql: FIND_SURVEY, args: [text] });
        return rows[0] === undefined ? undefined : readSurvey(text, rows[0].survey, castBook, client);
      });
    },
    save(report, survey) {
      return change("write a report to", async () => {
        const { assessment } = report;
        const documents = writeDocuments(assessment, survey, castBook);
        const row = {
          address: report.address,
          surveyedAt: report.surveyedAt,
          scoringVersion: assessment.scoringVersion,
          liveHeard: report.liveHeard,
          assessment: sql`${documents.assessment}`,
          survey: Buffer.from(documents.survey),
        };
        const keepReport = db
          .insert(reports)
          .values(row)
          .onConflictDoUpdate({ target: reports.address, set: row });
        // With every report, so that none is ever without its cast, whatever has become of the database meanwhile.
        const keep = documents.cast === undefined ? [] : [keepCast(documents.cast)];
        await db.batch([keepReport, ...keep, ...append(report)]);
      });
    },
    rescore(report) {
      return change("write a report to", async () => {
        const { address, surveyedAt, assessment } = report;
        const { scoringVersion } = assessment;
        await db.batch([
          db
            .update(reports)
            .set({ scoringVersion, assessment: sql`${sealAssessment(assessment, castBook.known())}` })
            .where(
              and(
                eq(reports.address, address),
                eq(reports.surveyedAt, surveyedAt),
                lte(reports.scoringVersion, scoringVersion),
              ),
            ),
          ...append(report),
        ]);
      });
    },
    history(text): Promise<readonly HistoryEntry[]> {
      return attempt("read a history from", () => findHistory.all({ address: text }));
    },
    newest(limit): Promise<readonly StoredName[]> {
      return attempt("list the reports of", () => findNewest.all({ limit }));
    },
    budgets: {
      settle: (day, entries) => change("count questions in", () => budgets.settle(day, entries)),
      read: (day) => attempt("read budgets from", () => budgets.read(day)),
    },
    permits: {
      take: (request) => change("count a permit in", () => permits.take(request)),
      giveBack: (id) => change("give back a permit in", () => permits.giveBack(id)),
      read: (day, names) => attempt("read permits from", () => permits.read(day, names)),
    },
    challenges: {
      use: (id, expiresAt, now) => change("note a challenge in", () => challenges.use(id, expiresAt, now)),
    },
    votes: {
      cast: (vote) => change("write a vote to", () => votes.cast(vote)),
      read: (text) => attempt("read votes from", () => votes.read(text)),
    },
    ping() {
      return change("ask", async () => {
        await client.execute("SELECT 1");
      });
    },
    async close() {
      file?.reader.close();
      // Left to itself the driver keeps the log beside the file; folded in, the file alone is the whole database.
      if (embedded) await client.execute("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
      client.close();
    },
  };
}

/** The row's moment stands outside of the document's seal. */
function join(found: Omit<FoundReport, "assessment">, assessment: Assessment | string): FoundReport {
  const isIts = typeof assessment !== "string" && Date.parse(assessment.surveyedAt) === found.surveyedAt;
  return isIts ? { ...found, assessment } : found;
}
