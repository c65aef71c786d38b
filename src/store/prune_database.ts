import type { Client } from "@libsql/client";
import { describeFailure } from "./describe_failure.ts";
import { MaintenanceError } from "./maintenance_error.ts";
import type { ReportProgress } from "./maintenance_progress.ts";
import { openDatabase } from "./open_database.ts";
import type { StoreOptions } from "./open_store.ts";
import { retryLocked } from "./retry_locked.ts";
import { StoreError } from "./store.ts";

/** Rows looked at in one statement, which takes no lock that a writer waits for. */
const LOOK_ROWS = 500;

/** Nobody waits longer than so for a batch, as far as its size decides that; a server is asked over a network. */
const BATCH_MS = 5;
const SERVER_BATCH_MS = 50;
const LEAST_ROWS = 4;
const MOST_ROWS = 200;

/** Between two batches writers have their turn. */
const PAUSE_MS = 10;

/** What is too old, what a pruning does about it, and how it is ended early. */
export interface PruneOrder {
  /** Reports surveyed before this moment go, milliseconds since the epoch. */
  readonly before: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: ReportProgress;
}

/** What a pruning did. */
export interface DatabasePruning {
  readonly reports: number;
  readonly history: number;
  /** False when it was ended early: what is done is done, and the next goes on. */
  readonly isDone: boolean;
  /** The longest that a batch took, the waiting for its turn included. */
  readonly longestBatchMs: number;
}

/** The rows of a batch, told by an index; both statements of a transaction find the same. */
const OLD = "FROM reports WHERE surveyed_at < ?1 ORDER BY surveyed_at, address LIMIT ?2";
const DELETE_REPORTS = [
  `DELETE FROM history WHERE address IN (SELECT address ${OLD})`,
  `DELETE FROM reports WHERE address IN (SELECT address ${OLD})`,
];

/** Conclusions that were written about a report just deleted. They are few, and looked for page by page. */
const IS_LEFT = "h.surveyed_at < ?1 AND NOT EXISTS (SELECT 1 FROM reports r WHERE r.address = h.address)";
const LOOK = `SELECT max(row_id) AS last, total(is_left) AS found FROM
  (SELECT rowid AS row_id, ${IS_LEFT} AS is_left FROM history h WHERE rowid > ?2 ORDER BY rowid LIMIT ?3)`;
const DELETE_LEFT = [
  `DELETE FROM history WHERE rowid IN
    (SELECT rowid FROM history h WHERE ${IS_LEFT} AND rowid > ?3 AND rowid <= ?4 ORDER BY rowid LIMIT ?2)`,
];

/**
 * Deletes reports that have not been surveyed since a moment, with their history; votes stay. It deletes in small
 * commits whose size follows how long they take, so that writers are held up by milliseconds. Deleting is the same
 * however often and by however many at once it is done. The file keeps its size: what was freed is used again.
 * @throws {MaintenanceError} when there is no database; {StoreError} when it does not answer.
 */
export async function pruneDatabase(
  options: Omit<StoreOptions, "migrations">,
  order: PruneOrder,
): Promise<DatabasePruning> {
  const { client, name, path } = openDatabase(options);
  const ports: Ports = { client, isEmbedded: path !== undefined };
  try {
    const reports = await deleteOld(ports, order);
    const left = reports.isDone ? await deleteLeft(ports, order) : reports;
    return {
      reports: reports.last,
      history: reports.first + (left === reports ? 0 : left.first),
      isDone: left.isDone,
      longestBatchMs: Math.max(reports.longestMs, left.longestMs),
    };
  } catch (error) {
    if (error instanceof MaintenanceError) throw error;
    throw new StoreError(`Cannot prune ${name}: ${describeFailure(error)}`, { cause: error });
  } finally {
    client.close();
  }
}

interface Ports {
  readonly client: Client;
  readonly isEmbedded: boolean;
}

/** What batches deleted by their first and by their last statement. */
interface Deleted {
  first: number;
  last: number;
  longestMs: number;
  isDone: boolean;
}

function deleteOld(ports: Ports, order: PruneOrder): Promise<Deleted> {
  const work = { statements: DELETE_REPORTS, rest: [] };
  return deleteInBatches(ports, order, work, (done) =>
    order.onProgress?.({ doing: "deleting reports", done }),
  );
}

async function deleteLeft(ports: Ports, order: PruneOrder): Promise<Deleted> {
  const all: Deleted = { first: 0, last: 0, longestMs: 0, isDone: true };
  for (let from = Number.MIN_SAFE_INTEGER, pages = 1; ; pages += 1) {
    if (order.signal?.aborted === true) return { ...all, isDone: false };
    const args = [order.before, from, LOOK_ROWS];
    const { rows } = await retryLocked(ports.client, () => ports.client.execute({ sql: LOOK, args }));
    if (typeof rows[0]?.last !== "number") return all;
    const { last, found } = rows[0];
    if (Number(found) > 0) {
      const work = { statements: DELETE_LEFT, rest: [from, last] };
      const page = await deleteInBatches(ports, order, work, () => {});
      all.first += page.first;
      all.longestMs = Math.max(all.longestMs, page.longestMs);
    }
    from = last;
    order.onProgress?.({ doing: "looking through history", done: pages * LOOK_ROWS });
    await Bun.sleep(1);
  }
}

/** Until the last statement has found fewer rows than it might delete, or it is told to end. */
async function deleteInBatches(
  { client, isEmbedded }: Ports,
  { before, signal }: PruneOrder,
  { statements, rest }: { readonly statements: readonly string[]; readonly rest: readonly number[] },
  report: (done: number) => void,
): Promise<Deleted> {
  const deleted: Deleted = { first: 0, last: 0, longestMs: 0, isDone: true };
  const batchMs = isEmbedded ? BATCH_MS : SERVER_BATCH_MS;
  for (let most = LEAST_ROWS; ; ) {
    if (signal?.aborted === true) return { ...deleted, isDone: false };
    const batch = statements.map((sql) => ({ sql, args: [before, most, ...rest] }));
    const startedAt = performance.now();
    const results = await retryLocked(client, async () => {
      // What is deleted twice after a power failure needs no waiting for the disk while others wait for the lock.
      if (isEmbedded) await client.execute("PRAGMA synchronous=NORMAL");
      return await client.batch(batch, "write");
    });
    const tookMs = performance.now() - startedAt;
    const gone = results.at(-1)?.rowsAffected ?? 0;
    deleted.first += results[0]?.rowsAffected ?? 0;
    deleted.last += gone;
    deleted.longestMs = Math.max(deleted.longestMs, tookMs);
    report(deleted.last);
    if (gone < most) return deleted;
    if (tookMs > batchMs) most = Math.max(LEAST_ROWS, Math.floor(most / 2));
    else if (tookMs < batchMs / 2) most = Math.min(MOST_ROWS, most * 2);
    await Bun.sleep(PAUSE_MS);
  }
}
