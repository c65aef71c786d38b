import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Client, createClient, type Transaction } from "@libsql/client";
import { getTableColumns, getTableName, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { describeFailure, isDamaged } from "../failures.ts";
import { applyMigrations, readSchemaState } from "../migrations.ts";
import type { StoreOptions } from "../open_store.ts";
import { toStatement } from "../statements.ts";
import { StoreError } from "../store.ts";
import { checkDatabase, type DatabaseCheck } from "./check_database.ts";
import {
  countRows,
  type Database,
  MaintenanceError,
  type MaintenanceProblem,
  type OnProgress,
  openDatabase,
  readPages,
  TABLES,
} from "./maintenance.ts";
import { createPartFile, type PartFile, refuseLiveFile } from "./part_file.ts";

/** A page of reports is about half a megabyte. */
const PAGE_ROWS = 200;

/** A completed backup. */
export interface DatabaseBackup {
  readonly file: string;
  readonly bytes: number;
  /** `snapshot`: the whole database at one moment. `copy`: read from a server, table by table in one transaction. */
  readonly kind: "snapshot" | "copy";
  /** The result of reading every row of the backup. */
  readonly check: DatabaseCheck;
}

/**
 * Saves a database as one file while other processes read and write it. For an embedded database, the file contains
 * exactly what was committed at one moment (VACUUM INTO, a read transaction that blocks no writer). The file is
 * created beside its target and checked. If it is sound, it is moved to the target in one step. The database is not
 * changed.
 * @throws {MaintenanceError} when the file exists (unless `force`), cannot be written, or the database is missing,
 * damaged or not made by this program; {StoreError} when a server fails. It then removes unfinished files.
 */
export async function backupDatabase(
  options: StoreOptions,
  file: string,
  { force, onProgress = () => {} }: { readonly force: boolean; readonly onProgress?: OnProgress },
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
      return await fillPart(part, { options, database, target, force, onProgress });
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
    readonly onProgress: OnProgress;
  },
): Promise<DatabaseBackup> {
  const { options, database, target, onProgress } = work;
  const isEmbedded = database.path !== undefined;
  if (isEmbedded) {
    onProgress({ doing: "copying the database", done: 0 });
    await database.client.execute({ sql: "VACUUM INTO ?1", args: [part.path] });
  } else {
    await copyFromServer(database.client, part.path, { migrations: options.migrations, onProgress });
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

/**
 * Copies a database on a server, table by table and page by page, into a new embedded one. All reads are in one read
 * transaction, so they show the state of one moment if the server supports this. If the server ends the transaction,
 * the copy fails.
 * @throws {MaintenanceError} when the server's schema is not that of this version.
 */
async function copyFromServer(
  source: Client,
  path: string,
  { migrations, onProgress }: { readonly migrations: string; readonly onProgress: OnProgress },
): Promise<void> {
  const state = await readSchemaState(source, migrations);
  if (state.kind !== "known" || state.applied !== state.known) {
    throw new MaintenanceError(
      "unsupported",
      "Cannot copy the database: its schema is not that of this version",
    );
  }
  const connect = () => createClient({ url: `file:${path}`, concurrency: 1 });
  const target = connect();
  try {
    await applyMigrations(target, migrations, connect);
    const snapshot = await source.transaction("read");
    try {
      for (const table of TABLES) await copyTable(snapshot, target, table, onProgress);
    } finally {
      snapshot.close();
    }
  } finally {
    target.close();
  }
}

async function copyTable(
  source: Transaction,
  target: Client,
  table: SQLiteTable,
  onProgress: OnProgress,
): Promise<void> {
  const name = getTableName(table);
  const columns = Object.entries(getTableColumns(table));
  const all = await countRows(source, table);
  const values = Object.fromEntries(columns.map(([key]) => [key, sql.placeholder(key)]));
  const insert = toStatement(drizzle(target).insert(table).values(values));
  let done = 0;
  for await (const rows of readPages(
    source,
    table,
    columns.map(([, column]) => column),
    PAGE_ROWS,
  )) {
    await target.batch(
      rows.map((row) => ({
        sql: insert.sql,
        args: insert.args(Object.fromEntries(columns.map(([key], at) => [key, row[at + 1] ?? null]))),
      })),
      "write",
    );
    done += rows.length;
    onProgress({ doing: `copying ${name}`, done, of: Math.max(all, done) });
  }
  if (done !== all) {
    throw new StoreError(`Cannot copy ${name}: the server returned ${done} of ${all} rows`);
  }
}
