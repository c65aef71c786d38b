import { readFileSync, statSync } from "node:fs";
import { type Client, createClient } from "@libsql/client";
import { describeFailure } from "./describe_failure.ts";
import { isDamaged } from "./is_damaged.ts";
import { isLocked } from "./is_locked.ts";
import { MaintenanceError } from "./maintenance_error.ts";

/** A reader that is between two pages is waited for; a server holds its lock for as long as it lives. */
const PATIENCE_MS = 250;

/** Where SQLite's locks begin in a file: https://www.sqlite.org/fileformat2.html#the_lock_byte_page */
const LOCK_BYTES = 0x4000_0000;

/** An embedded database that this process alone has, until it is released. */
export interface TakenFile {
  /** Its file alone is the whole database. False for one that is too damaged to be opened: its log still counts. */
  readonly isFolded: boolean;
  release(): Promise<void>;
}

/**
 * Takes a database for oneself. Every process that has one open in WAL mode holds a shared lock on it as long as it
 * lives, so that an exclusive one tells that there is none; leaving WAL mode folds the log in. One that is damaged
 * cannot be locked: then the kernel's list of locks tells.
 * While it is taken nothing of this process may open and close the file: POSIX drops a process's locks with that.
 * @throws {MaintenanceError} `in_use`.
 */
export async function takeOverFile(path: string): Promise<TakenFile> {
  const client = createClient({ url: `file:${path}`, timeout: PATIENCE_MS, concurrency: 1 });
  const inUse = (cause?: unknown) =>
    new MaintenanceError("in_use", `Cannot replace database "${path}": another process works on it`, {
      cause,
    });
  try {
    await client.execute("PRAGMA locking_mode=EXCLUSIVE");
    const { rows } = await client.execute("PRAGMA journal_mode=DELETE");
    if (rows[0]?.[0] !== "delete") throw inUse();
    // The driver ends the transaction at once; in this mode the lock stays.
    await client.execute("BEGIN EXCLUSIVE");
    return { isFolded: true, release: () => release(client) };
  } catch (error) {
    client.close();
    if (error instanceof MaintenanceError) throw error;
    if (isLocked(error)) throw inUse(error);
    if (!isDamaged(error)) {
      throw new MaintenanceError(
        "unwritable",
        `Cannot replace database "${path}": ${describeFailure(error)}`,
        {
          cause: error,
        },
      );
    }
    if (isHeldByOthers(path)) throw inUse(error);
    return { isFolded: false, async release() {} };
  }
}

/** The driver lets go of a closed file only when its memory is cleared away: the lock is given back before. */
async function release(client: Client): Promise<void> {
  try {
    await client.execute("PRAGMA locking_mode=NORMAL");
    // An exclusive lock is given back at the end of the next statement that reads.
    await client.execute("SELECT count(*) FROM sqlite_master");
  } finally {
    client.close();
  }
}

/** `/proc/locks` of Linux, proc_locks(5); where there is none, nobody can tell and the person is asked to. */
function isHeldByOthers(path: string): boolean {
  let list: string;
  try {
    list = readFileSync("/proc/locks", "utf8");
  } catch (error) {
    throw new MaintenanceError(
      "in_use",
      `Cannot replace database "${path}": it is damaged, and whether another process has it open cannot be told here; ` +
        "end them all and move it away",
      { cause: error },
    );
  }
  const inode = String(statSync(path).ino);
  return list.split("\n").some((line) => {
    const [, , , , pid, place, start] = line.split(/\s+/);
    return place?.split(":")[2] === inode && pid !== String(process.pid) && Number(start) >= LOCK_BYTES;
  });
}
