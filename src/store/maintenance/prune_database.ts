import { inArray, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { retryLocked } from "../failures.ts";
import type { StoreOptions } from "../open_store.ts";
import { history, reports } from "../schema.ts";
import { writeAll } from "../statements.ts";
import { type Database, withDatabase } from "./maintenance.ts";

/** Reports deleted in one commit, which takes a few milliseconds. */
const BATCH_ROWS = 40;

/** Pause between two batches, in which other writers and other work of this process run. */
const PAUSE_MS = 10;

/** The process may serve meanwhile, and libSQL blocks it while it waits for a lock. */
const BUSY_TIMEOUT_MS = 20;

/**
 * Deletes the reports whose last survey is earlier than `before`, in milliseconds since the epoch, and their history;
 * votes stay. It deletes in small commits, so other writers wait for milliseconds only. Several processes may prune at
 * once. The file keeps its size: SQLite uses the free pages for new rows. `isDone` is false when `signal` stopped it
 * early; the next pruning continues.
 * @throws {MaintenanceError} when there is no database; {StoreError} when it fails.
 */
export async function pruneDatabase(
  options: Omit<StoreOptions, "migrations">,
  { before, signal }: { readonly before: number; readonly signal?: AbortSignal },
) {
  const work = async ({ client, path }: Database) => {
    const db = drizzle(client);
    const old = db
      .select({ address: reports.address })
      .from(reports)
      .where(lt(reports.surveyedAt, before))
      .orderBy(reports.surveyedAt, reports.address)
      .limit(BATCH_ROWS);
    // Both find the same addresses by the index.
    const deletions = [
      db.delete(history).where(inArray(history.address, old)),
      db.delete(reports).where(inArray(reports.address, old)),
    ];
    const deleted = { reports: 0, history: 0, isDone: false };
    while (!deleted.isDone && signal?.aborted !== true) {
      const [conclusions = 0, found = 0] = await retryLocked(client, async () => {
        // A deletion that a power failure reverts is repeated later, so the commit does not wait for the disk.
        if (path !== undefined) await client.execute("PRAGMA synchronous=NORMAL");
        return (await writeAll(client, deletions)).map(({ rowsAffected }) => rowsAffected);
      });
      deleted.history += conclusions;
      deleted.reports += found;
      deleted.isDone = found < BATCH_ROWS;
      if (!deleted.isDone) await Bun.sleep(PAUSE_MS);
    }
    return deleted;
  };
  return withDatabase(options, "prune", work, { busyTimeoutMs: BUSY_TIMEOUT_MS });
}
