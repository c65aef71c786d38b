import type { Client, InStatement, InValue, ResultSet } from "@libsql/client";
import { fillPlaceholders, type Query, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** A query of Drizzle, before it runs. */
interface BuiltQuery {
  toSQL(): Query;
}

/** The SQL of a query that Drizzle built once, for running on the driver many times. */
export interface Statement {
  readonly sql: string;
  /** The arguments in the order of the SQL. `values` are the query's placeholders by name. */
  args(values: Readonly<Record<string, InValue>>): InValue[];
}

/** Builds the SQL of a query once. */
export function toStatement(query: BuiltQuery): Statement {
  const { sql, params } = query.toSQL();
  return {
    sql,
    // Drizzle types parameters as unknown; every column of the schema is a number, text or bytes.
    args: (values) => fillPlaceholders(params, values) as InValue[],
  };
}

/** Builds one call of the driver from a query without placeholders. */
export function toCall(query: BuiltQuery): InStatement {
  const { sql, args } = toStatement(query);
  return { sql, args: args({}) };
}

/** Runs queries and calls in one write transaction. */
export function writeAll(
  client: Pick<Client, "batch">,
  queries: readonly (BuiltQuery | InStatement)[],
): Promise<ResultSet[]> {
  const isBuilt = (query: BuiltQuery | InStatement) => typeof query === "object" && "toSQL" in query;
  return client.batch(
    queries.map((query) => (isBuilt(query) ? toCall(query) : query)),
    "write",
  );
}

/**
 * Reads an integer column. Damage can turn a stored integer into another type; with the cast, the result is always a
 * number.
 */
export function asInteger(column: SQLiteColumn | SQL): SQL<number> {
  return sql<number>`CAST(${column} AS INTEGER)`;
}

/**
 * Reads a text or blob column as bytes. libSQL ends the process when it returns stored text that is not UTF-8, which
 * damage on the disk can cause; {@link readText} decodes the bytes.
 */
export function asBytes(column: SQLiteColumn | SQL): SQL<ArrayBuffer> {
  return sql<ArrayBuffer>`CAST(${column} AS BLOB)`;
}

/** Checks that a database answers, without reading a table. */
export const PING = "SELECT 1";

/** The row number of SQLite in the innermost table. https://www.sqlite.org/rowidtable.html */
export const ROW_ID = sql<number>`rowid`;

/** Decodes text that a statement returned as bytes, or as text. */
export function readText(value: unknown): string {
  return value instanceof ArrayBuffer || value instanceof Uint8Array
    ? new TextDecoder().decode(value)
    : String(value);
}
