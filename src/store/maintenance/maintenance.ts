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
import { is, Table } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { describeFailure, isDamaged } from "../failures.ts";
import { databaseName, databasePath, type StoreOptions } from "../open_store.ts";
import * as schema from "../schema.ts";
import { createServerClient } from "../server_client.ts";
import { StoreError } from "../store.ts";

/** Maintenance waits longer for a lock or a server than a request does. */
const BUSY_TIMEOUT_MS = 5_000;
const DEADLINE_MS = 30_000;

export const TABLES: readonly SQLiteTable[] = Object.values(schema).filter((table) => is(table, Table));

/**
 * Why maintenance of a database failed: it is missing, another process uses it, it is damaged or not made by this
 * program, a newer version changed it, the target exists or there is no space or permission, or the operation is not
 * supported here.
 */
export type MaintenanceProblem = "missing" | "in_use" | "damaged" | "newer" | "unwritable" | "unsupported";

/** A failed maintenance operation. The database is unchanged. */
export class MaintenanceError extends Error {
  readonly problem: MaintenanceProblem;

  constructor(problem: MaintenanceProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MaintenanceError";
    this.problem = problem;
  }
}

/** What the file system and SQLite say without space or permission: https://www.sqlite.org/rescode.html */
const UNWRITABLE =
  /\bE(?:ACCES|DQUOT|EXIST|FBIG|IO|NOENT|NOSPC|NOTDIR|PERM|ROFS)\b|disk is full|unable to open|readonly|disk I\/O/i;

/** The error of a task that failed: {@link MaintenanceError} when its problem is known, else {@link StoreError}. */
export function explainFailure(task: string, cause: unknown): Error {
  if (cause instanceof MaintenanceError) return cause;
  const why = describeFailure(cause);
  const problem = UNWRITABLE.test(why) ? "unwritable" : isDamaged(cause) ? "damaged" : undefined;
  const what = `Cannot ${task}: ${why}`;
  return problem === undefined
    ? new StoreError(what, { cause })
    : new MaintenanceError(problem, what, { cause });
}

/** An open database. `path` is the file of an embedded one. */
export interface Database {
  readonly name: string;
  readonly path: string | undefined;
  readonly client: Client;
}

/**
 * Runs `work` on one connection to an existing database. Opening it changes nothing: it creates no file and sets no
 * journal mode. The message of an error is "Cannot `task` DATABASE `target`".
 * @throws as {@link explainFailure}; {MaintenanceError} `missing` when there is no such file.
 */
export async function withDatabase<Result>(
  { url, token }: Omit<StoreOptions, "migrations">,
  task: string,
  work: (database: Database) => Promise<Result>,
  { target = "", busyTimeoutMs = BUSY_TIMEOUT_MS } = {},
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
    throw explainFailure(`${task} ${name}${target}`, cause);
  } finally {
    client.close();
  }
}

/**
 * Runs `work`, which makes a database beside its target: `path`, in the folder `FILE.PID.part` that only its owner can
 * read. `moveToTarget` moves it to its target in one step, durably, and replaces what is there. Removes the folder in
 * the end, and before it the folders that killed processes left for the same target.
 */
export async function withPartFile<Result>(
  file: string,
  work: (path: string, moveToTarget: (mode: number) => void) => Promise<Result>,
): Promise<Result> {
  const [parent, stem] = [dirname(file), `${basename(file)}.`];
  const folder = `${file}.${process.pid}.part`;
  const remove = (name: string) => rmSync(name, { recursive: true, force: true });
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(stem) && /^(\d{1,10})\.part$/.exec(name.slice(stem.length))?.[1];
    if (pid && (Number(pid) === process.pid || !isAlive(Number(pid)))) remove(join(parent, name));
  }
  mkdirSync(folder, { mode: 0o700 });
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
    return process.kill(pid, 0);
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
  const log = ["-wal", "-journal"].find((suffix) => statSync(file + suffix, { throwIfNoEntry: false })?.size);
  if (log === undefined) return;
  const why = `"${file}${log}" beside it shows that it is a database in use, not a backup`;
  throw new MaintenanceError("in_use", `Cannot use "${file}": ${why}`);
}
