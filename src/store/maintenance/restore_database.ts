import {
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { type Client, createClient } from "@libsql/client";
import { getTableName } from "drizzle-orm";
import { describeFailure, isDamaged, isLocked } from "../failures.ts";
import { databasePath, type StoreOptions } from "../open_store.ts";
import { checkDatabase, type DatabaseCheck } from "./check_database.ts";
import { MaintenanceError, type OnProgress, TABLES } from "./maintenance.ts";
import { COMPANIONS, createPartFile, refuseLiveFile } from "./part_file.ts";

/** A completed restore. */
export interface DatabaseRestore {
  readonly path: string;
  /** The new path of the previous database; absent when there was none. */
  readonly aside?: string;
  /** The result of reading every row of the file. */
  readonly check: DatabaseCheck;
}

/**
 * Replaces an embedded database that no process uses with a backup. The file is copied beside the database and
 * checked first. The previous database gets a second name, and the copy replaces the first name in one step: at every
 * moment, the path leads to a complete database. The next start of the service applies missing migrations.
 * @throws {MaintenanceError} when the file is missing, damaged, not made by this program or by a newer version, when it
 * has tables, views or triggers that are not of this program, when another process uses the database, when there is no space, or when the database is on a server. The database is
 * then unchanged.
 */
export async function restoreDatabase(
  options: StoreOptions,
  file: string,
  { now, onProgress = () => {} }: { readonly now: () => number; readonly onProgress?: OnProgress },
): Promise<DatabaseRestore> {
  const path = databasePath(options.url);
  if (path === undefined) {
    throw new MaintenanceError(
      "unsupported",
      `Cannot restore into database "${new URL(options.url).host}": a database on a server is restored with the tools of the server`,
    );
  }
  const source = resolve(file);
  refuseSource(source, path);
  mkdirSync(dirname(path), { recursive: true });
  const before = statSync(path, { throwIfNoEntry: false });
  const part = createPartFile(resolve(path), before === undefined ? 0o600 : before.mode & 0o777);
  try {
    onProgress({ doing: "copying the file", done: 0 });
    copyFileSync(source, part.path, constants.COPYFILE_FICLONE);
    const check = await checkDatabase(
      { url: `file:${part.path}`, migrations: options.migrations },
      onProgress,
    );
    refuseUnfit(check, file);
    await refuseForeign(part.path, file);
    // The restored file keeps its owner: root may restore a database that another user's service uses.
    if (before !== undefined && process.getuid?.() === 0) chownSync(part.path, before.uid, before.gid);
    if (before === undefined) {
      for (const suffix of COMPANIONS) rmSync(path + suffix, { force: true });
      part.moveToTarget(false);
      return { path, check };
    }
    const locked = await lockFile(path);
    try {
      const aside = chooseAside(path, now());
      linkAside(path, aside);
      if (!locked.isWhole) keepCompanions(path, aside);
      // SQLite would apply the log of the previous database to the copy.
      for (const suffix of COMPANIONS) rmSync(path + suffix, { force: true });
      part.moveToTarget(true);
      return { path, aside, check };
    } finally {
      await locked.release();
    }
  } catch (error) {
    if (error instanceof MaintenanceError) throw error;
    throw new MaintenanceError("unwritable", `Cannot restore "${file}": ${describeFailure(error)}`, {
      cause: error,
    });
  } finally {
    part.remove();
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

function refuseUnfit(check: DatabaseCheck, file: string): void {
  const why =
    check.structure !== "ok"
      ? (check.problems[0] ?? "it could not be checked")
      : check.form === "foreign"
        ? "it was not made by limpid"
        : undefined;
  if (why !== undefined) throw new MaintenanceError("damaged", `Cannot restore "${file}": ${why}`);
  if (check.form === "newer")
    throw new MaintenanceError(
      "newer",
      `Cannot restore "${file}": it was changed by a newer version of limpid`,
    );
}

/** The record of migrations is not part of the schema. */
const OWN_TABLES = new Set([...TABLES.map(getTableName), "__drizzle_migrations"]);

const NAME_CHARACTERS = 40;

/**
 * Refuses a file with objects that no version of this program makes: a trigger or view would run at each write or
 * read. Names that begin with `sqlite_` are reserved for SQLite itself.
 */
async function refuseForeign(path: string, file: string): Promise<void> {
  const client = createClient({ url: `file:${path}`, concurrency: 1 });
  try {
    const { rows } = await client.execute("SELECT type, name, tbl_name FROM sqlite_master");
    const foreign = rows.find(({ type, name, tbl_name: table }) => {
      if (type === "index") return !OWN_TABLES.has(String(table));
      return type !== "table" || !(OWN_TABLES.has(String(name)) || /^sqlite_/i.test(String(name)));
    });
    if (foreign === undefined) return;
    const name = String(foreign.name)
      .slice(0, NAME_CHARACTERS)
      .replaceAll(/[^\w.-]/g, "?");
    throw new MaintenanceError(
      "damaged",
      `Cannot restore "${file}": it has a ${foreign.type} "${name}" that limpid did not make`,
    );
  } finally {
    client.close();
  }
}

function chooseAside(path: string, nowMs: number): string {
  const stem = `${path}.before-${new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    if (!existsSync(name)) return name;
  }
}

/** Gives the database a second name by a hard link; without hard links, copies it. */
function linkAside(path: string, aside: string): void {
  try {
    linkSync(path, aside);
  } catch {
    copyFileSync(path, aside, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  }
}

function keepCompanions(path: string, aside: string): void {
  for (const suffix of ["-wal", "-journal"]) {
    if (existsSync(path + suffix)) linkAside(path + suffix, aside + suffix);
  }
}

/** Long enough for another process to finish reading a page. A running service holds its lock until it stops. */
const BUSY_TIMEOUT_MS = 250;

/** The offset of SQLite's locks in a file. https://www.sqlite.org/fileformat2.html#the_lock_byte_page */
const LOCK_BYTES = 0x4000_0000;

/** An embedded database that only this process can use, until it is released. */
export interface ExclusiveFile {
  /**
   * The file alone is the whole database. False for a database that is too damaged to open: its log must be kept with
   * it.
   */
  readonly isWhole: boolean;
  release(): Promise<void>;
}

/**
 * Locks a database for this process. Every process that has it open in WAL mode holds a shared lock on it, so an
 * exclusive lock proves that no other process has it open. Leaving WAL mode moves the log into the file. A damaged
 * database cannot be locked: then this function reads the kernel's list of locks. While the lock is held, this
 * process must not open and close the file elsewhere: POSIX releases the locks of a process with the first close.
 * @throws {MaintenanceError} `in_use` when another process uses it.
 */
export async function lockFile(path: string): Promise<ExclusiveFile> {
  const client = createClient({ url: `file:${path}`, timeout: BUSY_TIMEOUT_MS, concurrency: 1 });
  const inUse = (cause?: unknown) =>
    new MaintenanceError("in_use", `Cannot replace database "${path}": another process uses it`, {
      cause,
    });
  try {
    await client.execute("PRAGMA locking_mode=EXCLUSIVE");
    const { rows } = await client.execute("PRAGMA journal_mode=DELETE");
    if (rows[0]?.[0] !== "delete") throw inUse();
    // The driver ends the transaction at once, but the lock stays in this locking mode.
    await client.execute("BEGIN EXCLUSIVE");
    return { isWhole: true, release: () => release(client) };
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
    return { isWhole: false, async release() {} };
  }
}

/** Releases the lock first, because the driver closes the file only at garbage collection. */
async function release(client: Client): Promise<void> {
  try {
    await client.execute("PRAGMA locking_mode=NORMAL");
    // SQLite releases an exclusive lock at the end of the next statement that reads.
    await client.execute("SELECT count(*) FROM sqlite_master");
  } finally {
    client.close();
  }
}

/** Reads `/proc/locks` of Linux, proc_locks(5). Without it, the operator must make sure that no process uses the file. */
function isHeldByOthers(path: string): boolean {
  let list: string;
  try {
    list = readFileSync("/proc/locks", "utf8");
  } catch (error) {
    throw new MaintenanceError(
      "in_use",
      `Cannot replace database "${path}": it is damaged, and this system does not show whether another process uses it; ` +
        "stop all processes and move the file away",
      { cause: error },
    );
  }
  const inode = String(statSync(path).ino);
  return list.split("\n").some((line) => {
    const [, , , , pid, place, start] = line.split(/\s+/);
    return place?.split(":")[2] === inode && pid !== String(process.pid) && Number(start) >= LOCK_BYTES;
  });
}
