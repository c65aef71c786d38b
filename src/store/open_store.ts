import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Client, createClient } from "@libsql/client";
import { and, desc, eq, lte, notInArray, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
import * as v from "valibot";
import { type Assessment, AssessmentSchema } from "#report";
import { createBudgetBook } from "./budget_book.ts";
import { history, reports } from "./schema.ts";
import { type FoundReport, type HistoryEntry, type Store, type StoredReport, StoreError } from "./store.ts";

/** Earlier conclusions kept per address. */
const HISTORY_LIMIT = 50;

/** A write that meets a lock blocks the event loop for this long at most, then fails. */
const BUSY_TIMEOUT_MS = 250;

/** Where the database is, and the generated SQL that brings it up to date. */
export interface StoreOptions {
  /** `file:PATH` for the embedded database, or the `http(s)://` / `libsql://` URL of a libSQL server. */
  readonly url: string;
  readonly token?: string;
  /** Folder of the generated migrations. */
  readonly migrations: string;
}

/**
 * Opens the database, brings its schema up to date, and serves the store's queries, each prepared once.
 * An embedded database runs in WAL mode with SQLite's default `synchronous=FULL`: a commit that returned is on disk.
 * @throws {StoreError} naming the database, when it cannot be opened, is no database, or is damaged.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const path = options.url.startsWith("file:") ? options.url.slice("file:".length) : undefined;
  const name = path === undefined ? `database "${new URL(options.url).host}"` : `database "${path}"`;
  if (path !== undefined) checkFile(path, name);

  let client: Client | undefined;
  try {
    if (path !== undefined) mkdirSync(dirname(path), { recursive: true });
    client = createClient({
      url: options.url,
      timeout: BUSY_TIMEOUT_MS,
      ...(options.token === undefined ? {} : { authToken: options.token }),
    });
    if (path !== undefined) await client.execute("PRAGMA journal_mode=WAL");
    await bringUpToDate(client, options.migrations);
    return serve(client, name, path !== undefined);
  } catch (error) {
    client?.close();
    throw new StoreError(`Cannot open ${name}: ${reason(error)}`, { cause: error });
  }
}

/** Two processes that start on one new file race for the first migration; the loser finds the work done on a second look. */
async function bringUpToDate(client: Client, migrations: string): Promise<void> {
  const db = drizzle(client);
  try {
    await migrate(db, { migrationsFolder: migrations });
  } catch (error) {
    if (!/already exists/.test(causes(error)) && !isLocked(error)) throw error;
    await migrate(db, { migrationsFolder: migrations });
  }
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

function isLocked(error: unknown): boolean {
  return /SQLITE_BUSY|database is locked|statements in progress/.test(causes(error));
}

function causes(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < 8; at = at.cause) messages.push(at.message);
  return messages.join(" | ");
}

function reason(error: unknown): string {
  let deepest = error;
  for (let depth = 0; depth < 8 && deepest instanceof Error && deepest.cause instanceof Error; depth += 1) {
    deepest = deepest.cause;
  }
  return deepest instanceof Error ? deepest.message : "unknown error";
}

/** Undefined for what another version wrote and this one does not read. */
function readAssessment(json: string): Assessment | undefined {
  try {
    return v.parse(AssessmentSchema, JSON.parse(json));
  } catch {
    return undefined;
  }
}

function serve(client: Client, name: string, embedded: boolean): Store {
  const db = drizzle(client);
  const address = sql.placeholder("address");

  const find = db
    .select({
      address: reports.address,
      surveyedAt: reports.surveyedAt,
      liveHeard: reports.liveHeard,
      assessment: reports.assessment,
    })
    .from(reports)
    .where(eq(reports.address, address))
    .prepare();
  const findSurvey = db
    .select({ survey: reports.survey })
    .from(reports)
    .where(eq(reports.address, address))
    .prepare();
  const findHistory = db
    .select({
      surveyedAt: history.surveyedAt,
      purity: history.purity,
      band: history.band,
      scoringVersion: history.scoringVersion,
    })
    .from(history)
    .where(eq(history.address, address))
    .orderBy(desc(history.surveyedAt), desc(history.scoringVersion))
    .limit(HISTORY_LIMIT)
    .prepare();

  async function attempt<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      // The driver leaves a statement that met a lock open, and its connection can no longer commit.
      if (embedded && isLocked(error)) await client.reconnect();
      throw new StoreError(`Cannot ${what} ${name}: ${reason(error)}`, { cause: error });
    }
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

  const book = createBudgetBook(client);

  return {
    find(text): Promise<FoundReport | undefined> {
      return attempt("read a report from", async () => {
        const row = await find.get({ address: text });
        if (row === undefined) return undefined;
        const { assessment: json, ...rest } = row;
        const assessment = readAssessment(json);
        return assessment === undefined ? rest : { ...rest, assessment };
      });
    },
    findSurvey(text) {
      return attempt("read a survey from", async () => {
        const row = await findSurvey.get({ address: text });
        return row === undefined ? undefined : new TextDecoder().decode(Bun.zstdDecompressSync(row.survey));
      });
    },
    save(report, survey) {
      return attempt("write a report to", async () => {
        const { assessment } = report;
        const row = {
          address: report.address,
          surveyedAt: report.surveyedAt,
          scoringVersion: assessment.scoringVersion,
          liveHeard: report.liveHeard,
          assessment: JSON.stringify(assessment),
          survey: Bun.zstdCompressSync(survey),
        };
        await db.batch([
          db.insert(reports).values(row).onConflictDoUpdate({ target: reports.address, set: row }),
          ...append(report),
        ]);
      });
    },
    rescore(report) {
      return attempt("write a report to", async () => {
        const { address, surveyedAt, assessment } = report;
        const { scoringVersion } = assessment;
        await db.batch([
          db
            .update(reports)
            .set({ scoringVersion, assessment: JSON.stringify(assessment) })
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
    budgets: {
      settle: (day, entries) => attempt("count questions in", () => book.settle(day, entries)),
      read: (day) => attempt("read budgets from", () => book.read(day)),
    },
    ping() {
      return attempt("ask", async () => {
        await client.execute("SELECT 1");
      });
    },
    async close() {
      // Left to itself the driver keeps the log beside the file; folded in, the file alone is the whole database.
      if (embedded) await client.execute("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
      client.close();
    },
  };
}
