import { existsSync } from "node:fs";
import { type Client, createClient } from "@libsql/client";
import { count, is, Table } from "drizzle-orm";
import { QueryBuilder, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { describeFailure } from "../failures.ts";
import { databaseName, databasePath, type StoreOptions } from "../open_store.ts";
import * as schema from "../schema.ts";
import { createServerClient } from "../server_client.ts";
import { readCount, toCall } from "../statements.ts";
import { StoreError } from "../store.ts";

/** Maintenance waits longer for a lock or a server than a request does. */
const BUSY_TIMEOUT_MS = 5_000;
const DEADLINE_MS = 30_000;

/** All tables of the schema. */
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

/** A database opened for maintenance. */
export interface Database {
  /** The name in messages. */
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

/** The number of rows of a table. */
export async function countRows(client: Client, table: SQLiteTable): Promise<number> {
  return readCount(
    (await client.execute(toCall(new QueryBuilder().select({ n: count() }).from(table)))).rows,
  );
}
