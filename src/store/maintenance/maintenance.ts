import { existsSync } from "node:fs";
import { type Client, createClient, type Row, type Transaction } from "@libsql/client";
import { asc, count, gt, is, type SQL, sql, Table } from "drizzle-orm";
import { QueryBuilder, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { databaseName, databasePath, type StoreOptions } from "../open_store.ts";
import * as schema from "../schema.ts";
import { createServerClient } from "../server_client.ts";
import { ROW_ID, readCount, toCall, toStatement } from "../statements.ts";

/** Maintenance waits longer for a lock or a server than a request does. */
const BUSY_TIMEOUT_MS = 5_000;
const DEADLINE_MS = 30_000;

/**
 * All tables of the schema. Reports are first: a table that is copied later may be newer than the reports, but not
 * older.
 */
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

/** The progress of a long operation: the current step, and its rows. `of` is absent when the total is unknown. */
export interface MaintenanceProgress {
  readonly doing: string;
  readonly done: number;
  readonly of?: number;
}

/** Called repeatedly during a long operation. */
export type OnProgress = (progress: MaintenanceProgress) => void;

/** A database opened for maintenance. */
export interface Database {
  /** The name in messages. */
  readonly name: string;
  /** The file of an embedded database. */
  readonly path: string | undefined;
  readonly client: Client;
}

/**
 * Opens an existing database on one connection, and changes nothing: creates no file, sets no journal mode.
 * @throws {MaintenanceError} `missing` when there is no such file.
 */
export function openDatabase(
  { url, token }: Omit<StoreOptions, "migrations">,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
): Database {
  const path = databasePath(url);
  const name = databaseName(url);
  if (path !== undefined && !existsSync(path)) {
    throw new MaintenanceError("missing", `Cannot open ${name}: there is no such file`);
  }
  const client =
    path === undefined
      ? createServerClient({ url, deadlineMs: DEADLINE_MS, ...(token === undefined ? {} : { token }) })
      : createClient({ url, timeout: busyTimeoutMs, concurrency: 1 });
  return { name, path, client };
}

const query = new QueryBuilder();

/** The number of rows of a table. */
export async function countRows(database: Client | Transaction, table: SQLiteTable): Promise<number> {
  const { rows } = await database.execute(toCall(query.select({ n: count() }).from(table)));
  return readCount(rows);
}

/**
 * Reads a table page by page in the order of its row ids, so that memory is bounded by one page. Each row has its row
 * id in column 0, followed by `columns`. Outside a transaction, a page shows the state at the moment it is read.
 */
export async function* readPages(
  database: Client | Transaction,
  table: SQLiteTable,
  columns: readonly (SQLiteColumn | SQL)[],
  pageRows: number,
): AsyncGenerator<readonly Row[]> {
  const page = toStatement(
    query
      .select({
        rowId: sql`${ROW_ID}`.as("row_id"),
        ...Object.fromEntries(
          columns.map((column, at) => [`column_${at}`, sql`${column}`.as(`column_${at}`)]),
        ),
      })
      .from(table)
      .where(gt(ROW_ID, sql.placeholder("after")))
      .orderBy(asc(ROW_ID))
      .limit(pageRows),
  );
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const { rows } = await database.execute({ sql: page.sql, args: page.args({ after }) });
    if (rows.length === 0) return;
    yield rows;
    after = Number(rows.at(-1)?.[0]);
  }
}
