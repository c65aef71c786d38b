import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Client, createClient } from "@libsql/client";
import { describeFailure, isDamaged } from "../failures.ts";
import { readSchemaState } from "../migrations.ts";
import { syncInProcess } from "../mirror/sync_copy.ts";
import type { StoreOptions } from "../open_store.ts";
import { StoreError } from "../store.ts";
import { checkDatabase, type DatabaseCheck } from "./check_database.ts";
import {
  type Database,
  MaintenanceError,
  type MaintenanceProblem,
  type OnProgress,
  openDatabase,
} from "./maintenance.ts";
import { createPartFile, type PartFile, refuseLiveFile } from "./part_file.ts";

/** A server that has not sent its database within an hour counts as hanging. */
const COPY_DEADLINE_MS = 3_600_000;

/** A completed backup. */
export interface DatabaseBackup {
  readonly file: string;
  readonly bytes: number;
  /** The result of reading every row of the backup. */
  readonly check: DatabaseCheck;
}

/**
 * Saves a database as one file while other processes read and write it. The file contains exactly what was committed at
 * one moment: VACUUM INTO blocks no writer, and a server sends whole commits. The file is
 * created beside its target and checked. If it is sound, it is moved to the target in one step. The database is not
 * changed.
 * @throws {MaintenanceError} when the file exists (unless `force`), cannot be written, or the database is missing,
 * damaged or not made by this program; {StoreError} when a server fails. It then removes unfinished files.
 */
export async function backupDatabase(
  options: StoreOptions,
  file: string,
  {
    force,
    program,
    onProgress = () => {},
  }: {
    readonly force: boolean;
    /** The command line that starts this program. */
    readonly program: readonly string[];
    readonly onProgress?: OnProgress;
  },
): Promise<DatabaseBackup> {
  const target = resolve(file);
  const database = openDatabase(options);
  try {
    refuseTarget(target, database, force);
    const state = await readSchemaState(database.client, options.migrations);
    if (state.kind === "foreign") {
      throw new MaintenanceError("damaged", `Cannot save ${database.name}: it was not made by limpid`);
    }
    const mode = database.path === undefined ? 0o600 : statSync(database.path).mode & 0o777;
    const part = createPartFile(target, mode);
    try {
      return await fillPart(part, { options, database, target, force, program, onProgress });
    } finally {
      part.remove();
    }
  } catch (error) {
    if (error instanceof MaintenanceError) throw error;
    const what = `Cannot save ${database.name} as "${file}": ${describeFailure(error)}`;
    const problem = classify(error);
    if (problem === undefined) throw new StoreError(what, { cause: error });
    throw new MaintenanceError(problem, what, { cause: error });
  } finally {
    database.client.close();
  }
}

async function fillPart(
  part: PartFile,
  work: {
    readonly options: StoreOptions;
    readonly database: Database;
    readonly target: string;
    readonly force: boolean;
    readonly program: readonly string[];
    readonly onProgress: OnProgress;
  },
): Promise<DatabaseBackup> {
  const { options, database, target, onProgress } = work;
  onProgress({ doing: "copying the database", done: 0 });
  if (database.path !== undefined) {
    await database.client.execute({ sql: "VACUUM INTO ?1", args: [part.path] });
  } else {
    await copyFromServer({ client: database.client, options, program: work.program }, part.path);
  }
  const check = await checkDatabase({ url: `file:${part.path}`, migrations: options.migrations }, onProgress);
  // A row that is damaged in the database stays in the backup. A file with damaged pages is not a backup.
  if (check.structure !== "ok") {
    throw new MaintenanceError(
      "damaged",
      `Cannot save ${database.name}: the copy is damaged: ${check.problems[0] ?? "it could not be checked"}`,
    );
  }
  const { size } = statSync(part.path);
  part.moveToTarget(work.force);
  return { file: target, bytes: size, check };
}

function refuseTarget(target: string, database: Database, force: boolean): void {
  if (!existsSync(dirname(target))) {
    throw new MaintenanceError("unwritable", `Cannot write "${target}": there is no such folder`);
  }
  if (!existsSync(target)) return;
  if (database.path !== undefined && realpathSync(target) === realpathSync(database.path)) {
    throw new MaintenanceError("exists", `Cannot save ${database.name} as "${target}": that is the database`);
  }
  if (!force) throw new MaintenanceError("exists", `Cannot write "${target}": it exists`);
  refuseLiveFile(target);
  if (!statSync(target).isFile()) {
    throw new MaintenanceError("exists", `Cannot write "${target}": it is not a file`);
  }
}

/** https://www.sqlite.org/rescode.html (full, cantopen, readonly, ioerr) */
function classify(error: unknown): MaintenanceProblem | undefined {
  const what = describeFailure(error);
  if (/disk is full|SQLITE_FULL|ENOSPC|unable to open|readonly|disk I\/O|EACCES|EFBIG/i.test(what))
    return "unwritable";
  return isDamaged(error) ? "damaged" : undefined;
}

/**
 * Copies a database on a server by replication, which shows the state of one moment. A process of its own does it,
 * because libSQL blocks its thread until the server has answered.
 * @throws {MaintenanceError} when the server's schema is not that of this version.
 */
async function copyFromServer(
  {
    client,
    options,
    program,
  }: { readonly client: Client; readonly options: StoreOptions; readonly program: readonly string[] },
  path: string,
): Promise<void> {
  const state = await readSchemaState(client, options.migrations);
  if (state.kind !== "known" || state.applied !== state.known) {
    throw new MaintenanceError(
      "unsupported",
      "Cannot copy the database: its schema is not that of this version",
    );
  }
  const folder = mkdtempSync(`${path}.copy-`);
  try {
    const { url, token } = options;
    const copy = join(folder, "replica.db");
    const order = { path: copy, primary: url, check: false, ...(token === undefined ? {} : { token }) };
    const outcome = await syncInProcess(order, program, AbortSignal.timeout(COPY_DEADLINE_MS));
    if (outcome.kind !== "done") throw new StoreError(outcome.problem);
    const replica = createClient({ url: `file:${copy}`, concurrency: 1 });
    try {
      await replica.execute({ sql: "VACUUM INTO ?1", args: [path] });
    } finally {
      replica.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
