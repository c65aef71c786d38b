import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Client, createClient } from "@libsql/client";
import { count, is, Table } from "drizzle-orm";
import { QueryBuilder, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { describeFailure } from "../failures.ts";
import { databaseName, databasePath, type StoreOptions } from "../open_store.ts";
import * as schema from "../schema.ts";
import { createServerClient } from "../server_client.ts";
import { execute, readCount } from "../statements.ts";
import { StoreError } from "../store.ts";

/** Maintenance waits longer for a lock or a server than a request does. */
const BUSY_TIMEOUT_MS = 5_000;
const DEADLINE_MS = 30_000;

export const TABLES: readonly SQLiteTable[] = Object.values(schema).filter((table) => is(table, Table));

/**
 * Why maintenance of a database failed: it is missing, the target file exists, another process uses it, it is damaged
 * or not made by this program, a newer version changed it, there is no space or permission, or the operation is not
 * supported here.
 */
export type MaintenanceProblem =
  | "missing"
  | "exists"
  | "in_use"
  | "damaged"
  | "newer"
  | "unwritable"
  | "unsupported";

/** A failed maintenance operation. The database is unchanged. */
export class MaintenanceError extends Error {
  readonly problem: MaintenanceProblem;

  constructor(problem: MaintenanceProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MaintenanceError";
    this.problem = problem;
  }
}

export interface Database {
  readonly name: string;
  /** The file of an embedded database. */
  readonly path: string | undefined;
  readonly client: Client;
}

/**
 * Runs `work` on one connection to an existing database. Opening it changes nothing: it creates no file and sets no
 * journal mode. `task` is the verb in the message of an error.
 * @throws {MaintenanceError} `missing` when there is no such file, and those of `work`; {StoreError} for other errors.
 */
export async function withDatabase<Result>(
  { url, token }: Omit<StoreOptions, "migrations">,
  task: string,
  work: (database: Database) => Promise<Result>,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
): Promise<Result> {
  const path = databasePath(url);
  const name = databaseName(url);
  if (path !== undefined && !existsSync(path)) {
    throw new MaintenanceError("missing", `Cannot open ${name}: there is no such file`);
  }
  const client =
    path === undefined
      ? createServerClient({ url, deadlineMs: DEADLINE_MS, ...(token === undefined ? {} : { token }) })
      : createClient({ url, timeout: busyTimeoutMs, concurrency: 1 });
  try {
    return await work({ name, path, client });
  } catch (cause) {
    if (cause instanceof MaintenanceError) throw cause;
    throw new StoreError(`Cannot ${task} ${name}: ${describeFailure(cause)}`, { cause });
  } finally {
    client.close();
  }
}

export async function countRows(client: Client, table: SQLiteTable): Promise<number> {
  return readCount((await execute(client, new QueryBuilder().select({ n: count() }).from(table))).rows);
}

/**
 * Runs `work`, which makes a database beside its target: `path`, in the folder `FILE.PID.part` that only its owner can
 * read. `moveToTarget` moves it to its target in one step, durably, and replaces what is there. Removes the folder in
 * the end, and before it the folders that killed processes left for the same target.
 * @throws {MaintenanceError} `unwritable` when the folder of the target is missing or cannot be written to.
 */
export async function withPartFile<Result>(
  file: string,
  work: (path: string, moveToTarget: (mode: number) => void) => Promise<Result>,
): Promise<Result> {
  const [parent, stem] = [dirname(file), `${basename(file)}.`];
  const folder = `${file}.${process.pid}.part`;
  const remove = (name: string) => rmSync(name, { recursive: true, force: true });
  try {
    for (const name of readdirSync(parent)) {
      const pid = name.startsWith(stem) && /^(\d{1,10})\.part$/.exec(name.slice(stem.length))?.[1];
      if (pid && (Number(pid) === process.pid || !isAlive(Number(pid)))) remove(join(parent, name));
    }
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    const what = `Cannot write beside "${file}": ${describeFailure(cause)}`;
    throw new MaintenanceError("unwritable", what, { cause });
  }
  const path = join(folder, "database.db");
  try {
    return await work(path, (mode) => {
      chmodSync(path, mode);
      syncToDisk(path);
      renameSync(path, file);
      syncToDisk(parent);
    });
  } finally {
    remove(folder);
  }
}

/** Waits until a file, or the list of names of a folder, is on the disk. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/**
 * Refuses a file that has a non-empty log beside it: a process uses it or was killed, and the file alone is not the
 * whole database.
 * @throws {MaintenanceError} `in_use`.
 */
export function refuseLiveFile(file: string): void {
  for (const suffix of ["-wal", "-journal"]) {
    if ((statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0) === 0) continue;
    throw new MaintenanceError(
      "in_use",
      `Cannot use "${file}": "${file}${suffix}" beside it shows that it is a database in use, not a backup`,
    );
  }
}
