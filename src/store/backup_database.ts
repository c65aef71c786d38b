import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { checkDatabase, type DatabaseCheck } from "./check_database.ts";
import { copyDatabase } from "./copy_database.ts";
import { describeFailure } from "./describe_failure.ts";
import { isDamaged } from "./is_damaged.ts";
import { MaintenanceError, type MaintenanceProblem } from "./maintenance_error.ts";
import type { ReportProgress } from "./maintenance_progress.ts";
import { type Database, openDatabase } from "./open_database.ts";
import type { StoreOptions } from "./open_store.ts";
import { createPartFile, type PartFile } from "./part_file.ts";
import { readForm } from "./read_form.ts";
import { refuseLiveFile } from "./refuse_live_file.ts";
import { StoreError } from "./store.ts";

/** A backup that was made. */
export interface DatabaseBackup {
  readonly file: string;
  readonly bytes: number;
  /** `snapshot`: one moment of the whole database. `copy`: read from a server, as `copyDatabase` says. */
  readonly kind: "snapshot" | "copy";
  /** What was found in the backup, every row of it read. */
  readonly check: DatabaseCheck;
}

/**
 * Saves a database as one file, while others read and write it: of an embedded database exactly what was committed at
 * one moment (VACUUM INTO, a read transaction that no writer waits for). The file is made beside its place, looked
 * through, and put there in one step only when it is sound; the database is never changed.
 * @throws {MaintenanceError} when the file exists (unless `force`), cannot be written, or the database is missing,
 * damaged or foreign, {StoreError} when a server fails; whatever was begun is gone then.
 */
export async function backupDatabase(
  options: StoreOptions,
  file: string,
  { force, onProgress = () => {} }: { readonly force: boolean; readonly onProgress?: ReportProgress },
): Promise<DatabaseBackup> {
  const target = resolve(file);
  const database = openDatabase(options);
  try {
    refuseTarget(target, database, force);
    const form = await readForm(database.client, options.migrations);
    if (form.kind === "foreign") {
      throw new MaintenanceError("damaged", `Cannot save ${database.name}: it was not made by limpid`);
    }
    const mode = database.path === undefined ? 0o600 : statSync(database.path).mode & 0o777;
    const part = createPartFile(target, mode);
    try {
      return await fill(part, { options, database, target, force, onProgress });
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

async function fill(
  part: PartFile,
  work: {
    readonly options: StoreOptions;
    readonly database: Database;
    readonly target: string;
    readonly force: boolean;
    readonly onProgress: ReportProgress;
  },
): Promise<DatabaseBackup> {
  const { options, database, target, onProgress } = work;
  const isEmbedded = database.path !== undefined;
  if (isEmbedded) {
    onProgress({ doing: "copying the database", done: 0 });
    await database.client.execute({ sql: "VACUUM INTO ?1", args: [part.path] });
  } else {
    await copyDatabase(database.client, part.path, { migrations: options.migrations, onProgress });
  }
  const check = await checkDatabase({ url: `file:${part.path}`, migrations: options.migrations }, onProgress);
  // What is wrong with a row was wrong before and is worth keeping; a copy whose pages are wrong is none.
  if (check.structure !== "ok") {
    throw new MaintenanceError(
      "damaged",
      `Cannot save ${database.name}: the copy is damaged: ${check.problems[0] ?? "it could not be looked through"}`,
    );
  }
  const { size } = statSync(part.path);
  part.settle(work.force);
  return { file: target, bytes: size, kind: isEmbedded ? "snapshot" : "copy", check };
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
