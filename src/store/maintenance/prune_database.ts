import type { Client, InStatement } from "@libsql/client";
import { and, eq, gt, inArray, lt, lte, max, notExists, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { describeFailure, retryLocked } from "../failures.ts";
import { databasePath, type StoreOptions } from "../open_store.ts";
import { history, reports } from "../schema.ts";
import { ROW_ID, toCall } from "../statements.ts";
import { StoreError } from "../store.ts";
import { MaintenanceError, type OnProgress, openDatabase } from "./maintenance.ts";
import type { PruneAnswer, PruneWork } from "./prune_worker.ts";

/** Rows of the history read in one statement, which blocks no writer. */
const PAGE_ROWS = 500;

/** The longest time that a batch should block other writers. The size of a batch adapts to it. */
const BATCH_MS = 5;
const SERVER_BATCH_MS = 50;
const MIN_ROWS = 4;
const MAX_ROWS = 200;

/** Pause between two batches, in which other writers run. */
const PAUSE_MS = 10;

/** What to delete, and how to stop early. */
export interface PruneOptions {
  /** Reports with an earlier survey are deleted, milliseconds since the epoch. */
  readonly before: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** The result of pruning. */
export interface DatabasePruning {
  readonly reports: number;
  readonly history: number;
  /** False when it was stopped early. Deleted rows stay deleted; the next pruning continues. */
  readonly isDone: boolean;
  /** The longest duration of a batch, including the wait for the lock. */
  readonly longestBatchMs: number;
}

/**
 * Deletes the reports whose last survey is earlier than `before`, and their history; votes stay. It deletes in small
 * commits that adapt to their duration, so other writers wait for milliseconds only. Several processes may prune at
 * once. The file keeps its size: SQLite uses the free pages for new rows.
 * @throws {MaintenanceError} when there is no database; {StoreError} when it fails.
 */
export async function pruneDatabase(
  options: Omit<StoreOptions, "migrations">,
  pruning: PruneOptions,
): Promise<DatabasePruning> {
  const { client, name, path } = openDatabase(options);
  const target: Target = { client, isEmbedded: path !== undefined };
  try {
    const old = await deleteOld(target, pruning);
    const orphans = old.isDone ? await deleteOrphans(target, pruning) : undefined;
    return {
      reports: old.last,
      history: old.first + (orphans?.first ?? 0),
      isDone: orphans?.isDone ?? false,
      longestBatchMs: Math.max(old.longestMs, orphans?.longestMs ?? 0),
    };
  } catch (error) {
    if (error instanceof MaintenanceError) throw error;
    throw new StoreError(`Cannot prune ${name}: ${describeFailure(error)}`, { cause: error });
  } finally {
    client.close();
  }
}

/**
 * Prunes while this process serves: {@link pruneDatabase} in a thread of its own for an embedded database, because
 * libSQL blocks the thread that waits for the disk.
 * @throws {StoreError} when the database fails.
 */
export function pruneInWorker(
  options: Omit<StoreOptions, "migrations">,
  pruning: { readonly before: number; readonly signal: AbortSignal },
): Promise<DatabasePruning> {
  const path = databasePath(options.url);
  if (path === undefined) return pruneDatabase(options, pruning);
  const { url, token } = options;
  const { before, signal } = pruning;
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./prune_worker.ts", import.meta.url).href);
    // Terminating a thread inside a native call ends the whole process, so the thread gets a message and stops by
    // itself.
    const stop = () => worker.postMessage("stop");
    const finish = () => {
      signal.removeEventListener("abort", stop);
      worker.terminate();
    };
    worker.onmessage = ({ data }: MessageEvent<PruneAnswer>) => {
      finish();
      if (data.kind === "done") resolve(data.pruning);
      else reject(new StoreError(data.problem));
    };
    worker.onerror = ({ message }) => {
      finish();
      reject(new StoreError(`Cannot prune database "${path}": ${message}`));
    };
    signal.addEventListener("abort", stop, { once: true });
    const work: PruneWork = { url, before, ...(token === undefined ? {} : { token }) };
    worker.postMessage(work);
    if (signal.aborted) stop();
  });
}

interface Target {
  readonly client: Client;
  readonly isEmbedded: boolean;
}

/** Rows that the first and the last statement of the batches deleted, and the longest batch. */
interface Deleted {
  first: number;
  last: number;
  longestMs: number;
  isDone: boolean;
}

/** Deletes old reports and their history. Both statements of a batch find the same addresses by the index. */
function deleteOld(target: Target, { before, signal, onProgress }: PruneOptions): Promise<Deleted> {
  const db = drizzle(target.client);
  const statements = (rows: number) => {
    const old = db
      .select({ address: reports.address })
      .from(reports)
      .where(lt(reports.surveyedAt, before))
      .orderBy(reports.surveyedAt, reports.address)
      .limit(rows);
    return [
      toCall(db.delete(history).where(inArray(history.address, old))),
      toCall(db.delete(reports).where(inArray(reports.address, old))),
    ];
  };
  return deleteInBatches(target, signal, statements, (done) =>
    onProgress?.({ doing: "deleting reports", done }),
  );
}

/** Deletes conclusions without a report: they were written after the report was deleted. Searches the whole history. */
async function deleteOrphans(target: Target, { before, signal, onProgress }: PruneOptions): Promise<Deleted> {
  const db = drizzle(target.client);
  const hasReport = db.select({ one: sql`1` }).from(reports).where(eq(reports.address, history.address));
  const isOrphan = and(lt(history.surveyedAt, before), notExists(hasReport));
  const all: Deleted = { first: 0, last: 0, longestMs: 0, isDone: true };
  for (let after = Number.MIN_SAFE_INTEGER, pages = 1; ; pages += 1) {
    if (signal?.aborted === true) return { ...all, isDone: false };
    const page = db
      .select({
        rowId: sql<number>`${ROW_ID}`.as("row_id"),
        isOrphan: sql<number>`${isOrphan}`.as("is_orphan"),
      })
      .from(history)
      .where(gt(ROW_ID, after))
      .orderBy(ROW_ID)
      .limit(PAGE_ROWS)
      .as("page");
    const search = toCall(
      db.select({ last: max(page.rowId), found: sql<number>`total(${page.isOrphan})` }).from(page),
    );
    const { rows } = await retryLocked(target.client, () => target.client.execute(search));
    const last = rows[0]?.[0];
    if (typeof last !== "number") return all;
    if (Number(rows[0]?.[1]) > 0) {
      const place = and(isOrphan, gt(ROW_ID, after), lte(ROW_ID, last));
      const statements = (limit: number) => [toCall(deleteHistory(db, place, limit))];
      const deleted = await deleteInBatches(target, signal, statements, () => {});
      all.first += deleted.first;
      all.longestMs = Math.max(all.longestMs, deleted.longestMs);
    }
    after = last;
    onProgress?.({ doing: "searching the history", done: pages * PAGE_ROWS });
    await Bun.sleep(1);
  }
}

function deleteHistory(db: ReturnType<typeof drizzle>, condition: SQL | undefined, limit: number) {
  const rows = db.select({ rowId: ROW_ID }).from(history).where(condition).orderBy(ROW_ID).limit(limit);
  return db.delete(history).where(inArray(ROW_ID, rows));
}

/** Repeats the statements until the last one deletes fewer rows than its limit, or `signal` aborts. */
async function deleteInBatches(
  { client, isEmbedded }: Target,
  signal: AbortSignal | undefined,
  statements: (limit: number) => InStatement[],
  report: (done: number) => void,
): Promise<Deleted> {
  const deleted: Deleted = { first: 0, last: 0, longestMs: 0, isDone: true };
  const batchMs = isEmbedded ? BATCH_MS : SERVER_BATCH_MS;
  for (let limit = MIN_ROWS; ; ) {
    if (signal?.aborted === true) return { ...deleted, isDone: false };
    const batch = statements(limit);
    const startedAt = performance.now();
    const results = await retryLocked(client, async () => {
      // A deletion that a power failure reverts is repeated later, so the commit does not wait for the disk while it
      // holds the lock.
      if (isEmbedded) await client.execute("PRAGMA synchronous=NORMAL");
      return await client.batch(batch, "write");
    });
    const tookMs = performance.now() - startedAt;
    const rows = results.at(-1)?.rowsAffected ?? 0;
    deleted.first += results[0]?.rowsAffected ?? 0;
    deleted.last += rows;
    deleted.longestMs = Math.max(deleted.longestMs, tookMs);
    report(deleted.last);
    if (rows < limit) return deleted;
    if (tookMs > batchMs) limit = Math.max(MIN_ROWS, Math.floor(limit / 2));
    else if (tookMs < batchMs / 2) limit = Math.min(MAX_ROWS, limit * 2);
    await Bun.sleep(PAUSE_MS);
  }
}
