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
import { getTableName } from "drizzle-orm";
import { describeFailure, isDamaged, isLocked } from "../failures.ts";
import { databaseName, databasePath, type StoreOptions } from "../open_store.ts";
import { checkDatabase, type DatabaseCheck } from "./check_database.ts";
import { MaintenanceError, refuseLiveFile, TABLES, withPartFile } from "./maintenance.ts";

/** Suffixes of the files that SQLite keeps beside a database. */
const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

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
    throw new MaintenanceError(
      "unsupported",
      `Cannot restore into ${databaseName(url)}: a database on a server is restored with the tools of the server`,
    );
  }
  const source = resolve(file);
  refuseSource(source, path);
  mkdirSync(dirname(path), { recursive: true });
  const before = statSync(path, { throwIfNoEntry: false });
  try {
    return await withPartFile(resolve(path), async (part, moveToTarget) => {
      copyFileSync(source, part, constants.COPYFILE_FICLONE);
      const check = await checkDatabase({ url: `file:${part}`, migrations });
      await refuseUnfit(check, part, file);
      // The restored file keeps its owner: root may restore a database that another user's service uses.
      if (before !== undefined && process.getuid?.() === 0) chownSync(part, before.uid, before.gid);
      const locked = before && (await lockFile(path));
      try {
        const aside = locked && keepAside(path, now());
        // SQLite would apply the log of the previous database to the copy.
        for (const suffix of COMPANIONS) rmSync(path + suffix, { force: true });
        moveToTarget(before === undefined ? 0o600 : before.mode & 0o777);
        return { path, ...(aside === undefined ? {} : { aside }), check };
      } finally {
        await locked?.release();
      }
    });
  } catch (cause) {
    if (cause instanceof MaintenanceError) throw cause;
    const what = `Cannot restore "${file}": ${describeFailure(cause)}`;
    throw new MaintenanceError("unwritable", what, { cause });
  }
}

function refuseSource(source: string, path: string): void {
  if (statSync(source, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new MaintenanceError("missing", `Cannot restore "${source}": there is no such file`);
  }
  if (existsSync(path) && realpathSync(source) === realpathSync(path)) {
    throw new MaintenanceError("unsupported", `Cannot restore "${source}": that is the database`);
  }
  refuseLiveFile(source);
}

async function refuseUnfit(check: DatabaseCheck, path: string, file: string): Promise<void> {
  let why: string | undefined;
  if (check.structure !== "ok") why = check.problems[0] ?? "it could not be checked";
  else if (check.form === "foreign") why = "it was not made by limpid";
  else if (check.form === "newer") why = "it was changed by a newer version of limpid";
  else why = await findForeign(path);
  if (why === undefined) return;
  const problem = check.structure === "ok" && check.form === "newer" ? "newer" : "damaged";
  throw new MaintenanceError(problem, `Cannot restore "${file}": ${why}`);
}

/** The record of migrations is not part of the schema. */
const OWN_TABLES = new Set([...TABLES.map(getTableName), "__drizzle_migrations"]);

/**
 * Describes an object that no version of this program makes: a trigger or view would run at each write or read. Names
 * that begin with `sqlite_` are reserved for SQLite itself.
 */
async function findForeign(path: string): Promise<string | undefined> {
  const client = createClient({ url: `file:${path}`, concurrency: 1 });
  try {
    const { rows } = await client.execute("SELECT type, name, tbl_name FROM sqlite_master");
    const foreign = rows.find(({ type, name, tbl_name: table }) => {
      if (type === "index") return !OWN_TABLES.has(String(table));
      return type !== "table" || !(OWN_TABLES.has(String(name)) || /^sqlite_/i.test(String(name)));
    });
    if (foreign === undefined) return undefined;
    const name = String(foreign.name).slice(0, 40);
    return `it has a ${foreign.type} "${name.replaceAll(/[^\w.-]/g, "?")}" that limpid did not make`;
  } finally {
    client.close();
  }
}

/** Gives the database a second name. */
function keepAside(path: string, nowMs: number): string {
  const stem = `${path}.before-${new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  let aside = stem;
  for (let number = 2; existsSync(aside); number += 1) aside = `${stem}-${number}`;
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
 * Locks a database for this process, until it is released. Every process that has it open in WAL mode holds a shared
 * lock on it, so an exclusive lock proves that no other process has it open. Leaving WAL mode moves the log into the
 * file. While the lock is held, this process must not open and close the file elsewhere: POSIX releases the locks of a
 * process with the first close.
 * @throws {MaintenanceError} `in_use` when another process uses it, `damaged` when it is too damaged to lock; the
 * driver's error when it cannot be locked.
 */
export async function lockFile(path: string): Promise<{ release(): Promise<void> }> {
  const client = createClient({ url: `file:${path}`, timeout: BUSY_TIMEOUT_MS, concurrency: 1 });
  const refuse = (problem: "in_use" | "damaged", why: string, cause?: unknown) =>
    new MaintenanceError(problem, `Cannot replace database "${path}": ${why}`, { cause });
  try {
    await client.execute("PRAGMA locking_mode=EXCLUSIVE");
    const { rows } = await client.execute("PRAGMA journal_mode=DELETE");
    if (rows[0]?.[0] !== "delete") throw refuse("in_use", "another process uses it");
    // The driver ends the transaction at once, but the lock stays in this locking mode.
    await client.execute("BEGIN EXCLUSIVE");
  } catch (error) {
    client.close();
    if (isLocked(error)) throw refuse("in_use", "another process uses it", error);
    if (!isDamaged(error)) throw error;
    const why = "it is damaged, and another process may use it: stop all processes and move it away";
    throw refuse("damaged", why, error);
  }
  return {
    async release() {
      try {
        // The driver closes the file only at garbage collection. SQLite releases an exclusive lock at the end of the
        // next statement that reads.
        await client.execute("PRAGMA locking_mode=NORMAL");
        await client.execute("SELECT count(*) FROM sqlite_master");
      } finally {
        client.close();
      }
    },
  };
}
