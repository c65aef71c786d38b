import {
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { createClient } from "@libsql/client";
import { isDamaged, isLocked } from "../failures.ts";
import { databaseName, databasePath, type StoreOptions } from "../open_store.ts";
import { checkDatabase } from "./check_database.ts";
import { explainFailure, MaintenanceError, refuseLiveFile, withPartFile } from "./maintenance.ts";

/**
 * Replaces an embedded database that no process uses with a backup. The file is copied beside the database and
 * checked first. The previous database gets a second name, and the copy replaces the first name in one step: at every
 * moment, the path leads to a complete database. The next start of the service applies missing migrations.
 * Returns the result of reading every row (`check`) and the new path of the previous database (`aside`).
 * @throws {MaintenanceError} when the file is missing, damaged, not made by this program or by a newer version, when it
 * has tables, views or triggers that are not of this program, when another process uses the database, when there is no
 * space, or when the database is on a server. The database is then unchanged.
 */
export async function restoreDatabase(
  { url, migrations }: StoreOptions,
  file: string,
  { now }: { readonly now: () => number },
) {
  const path = databasePath(url);
  if (path === undefined) {
    const why = "a database on a server is restored with the tools of the server";
    throw new MaintenanceError("unsupported", `Cannot restore into ${databaseName(url)}: ${why}`);
  }
  const refuse = (problem: MaintenanceError["problem"], why: string) =>
    new MaintenanceError(problem, `Cannot restore "${file}": ${why}`);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw refuse("missing", "there is no such file");
  if (existsSync(path) && realpathSync(file) === realpathSync(path))
    throw refuse("unsupported", "that is the database");
  refuseLiveFile(file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const before = statSync(path, { throwIfNoEntry: false });
    return await withPartFile(resolve(path), async (part, moveToTarget) => {
      copyFileSync(file, part, constants.COPYFILE_FICLONE);
      const check = await checkDatabase({ url: `file:${part}`, migrations });
      if (check.structure !== "ok" || check.form !== "known")
        throw refuse(check.form === "newer" ? "newer" : "damaged", check.problems[0] ?? "it has no check");
      // The restored file keeps its owner: root may restore a database that another user's service uses.
      if (before !== undefined && process.getuid?.() === 0) chownSync(part, before.uid, before.gid);
      const locked = before && (await lockFile(path));
      try {
        const aside = locked && keepAside(path, now());
        // SQLite would apply the log of the previous database to the copy.
        for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
        moveToTarget(before === undefined ? 0o600 : before.mode & 0o777);
        return { path, ...(aside === undefined ? {} : { aside }), check };
      } finally {
        locked?.release();
      }
    });
  } catch (cause) {
    throw explainFailure(`restore "${file}"`, cause);
  }
}

/** Gives the database a second name. */
function keepAside(path: string, nowMs: number): string {
  const aside = `${path}.before-${new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  try {
    linkSync(path, aside);
  } catch {
    // A file system without hard links.
    copyFileSync(path, aside, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  }
  return aside;
}

/** Long enough for another process to finish reading a page. A running service holds its lock until it stops. */
const BUSY_TIMEOUT_MS = 250;

/**
 * Locks a database for this process, until it is released. A process that has it open in WAL mode keeps it in that mode,
 * so leaving the mode proves that no other process has it open, and moves the log into the file. Nobody enters the mode
 * again during the write transaction. While the lock is held, this process must not open and close the file elsewhere:
 * POSIX releases the locks of a process with the first close.
 * @throws {MaintenanceError} `in_use` when another process uses it, `damaged` when it is too damaged to lock; the
 * driver's error when it cannot be locked.
 */
export async function lockFile(path: string): Promise<{ release(): void }> {
  const client = createClient({ url: `file:${path}`, timeout: BUSY_TIMEOUT_MS, concurrency: 1 });
  const refuse = (problem: "in_use" | "damaged", why: string, cause?: unknown) =>
    new MaintenanceError(problem, `Cannot replace database "${path}": ${why}`, { cause });
  try {
    await client.execute("PRAGMA journal_mode=DELETE");
    const transaction = await client.transaction("write");
    const { rows } = await transaction.execute("PRAGMA journal_mode");
    if (rows[0]?.[0] !== "delete") throw refuse("in_use", "another process uses it");
    return {
      release() {
        transaction.close();
        client.close();
      },
    };
  } catch (error) {
    client.close();
    if (isLocked(error)) throw refuse("in_use", "another process uses it", error);
    if (!isDamaged(error)) throw error;
    const why = "it is damaged, and another process may use it: stop all processes and move it away";
    throw refuse("damaged", why, error);
  }
}
