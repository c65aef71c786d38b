import type { Client } from "@libsql/client";
import { inArray, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { retryLocked } from "../failures.ts";
import type { StoreOptions } from "../open_store.ts";
import { history, reports } from "../schema.ts";
import { writeAll } from "../statements.ts";
import { withDatabase } from "./maintenance.ts";

/** Reports deleted in one commit, which takes a few milliseconds. */
const BATCH_ROWS = 40;

/** Pause between two batches, in which other writers and other work of this process run. */
const PAUSE_MS = 10;

/** The process may serve meanwhile, and libSQL blocks it while it waits for a lock. */
const BUSY_TIMEOUT_MS = 20;

/** What to delete, and how to stop early. */
export interface PruneOptions {
  /** Reports with an earlier survey are deleted, milliseconds since the epoch. */
  readonly before: number;
  readonly signal?: AbortSignal;
}

/**
 * Deletes the reports whose last survey is earlier than `before`, and their history; votes stay. It deletes in small
 * commits, so other writers wait for milliseconds only. Several processes may prune at once. The file keeps its size:
 * SQLite uses the free pages for new rows. `isDone` is false when it was stopped early; the next pruning continues.
 * @throws {MaintenanceError} when there is no database; {StoreError} when it fails.
 */
export async function pruneDatabase(
  options: Omit<StoreOptions, "migrations">,
  { before, signal }: PruneOptions,
) {
  return withDatabase(
    options,
    "prune",
    async ({ client, path }) => {
      const deleted = { reports: 0, history: 0 };
      while (signal?.aborted !== true) {
        const batch = await retryLocked(client, () => deleteBatch(client, before, path !== undefined));
        deleted.reports += batch.reports;
        deleted.history += batch.history;
        if (batch.reports < BATCH_ROWS) return { ...deleted, isDone: true };
        await Bun.sleep(PAUSE_MS);
      }
      return { ...deleted, isDone: false };
    },
    BUSY_TIMEOUT_MS,
  );
}

/** Both statements find the same addresses by the index. */
async function deleteBatch(client: Client, before: number, isFile: boolean) {
  const db = drizzle(client);
  const old = db
    .select({ address: reports.address })
    .from(reports)
    .where(lt(reports.surveyedAt, before))
    .orderBy(reports.surveyedAt, reports.address)
    .limit(BATCH_ROWS);
  // A deletion that a power failure reverts is repeated later, so the commit does not wait for the disk.
  if (isFile) await client.execute("PRAGMA synchronous=NORMAL");
  const [conclusions, found] = await writeAll(client, [
    db.delete(history).where(inArray(history.address, old)),
    db.delete(reports).where(inArray(reports.address, old)),
  ]);
  return { history: conclusions?.rowsAffected ?? 0, reports: found?.rowsAffected ?? 0 };
}
