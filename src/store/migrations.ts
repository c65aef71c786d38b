import type { Client, Transaction } from "@libsql/client";
import { max } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { integer, QueryBuilder, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { isLocked, isTableMissing, listCauses, retryLocked } from "./failures.ts";
import { asInteger, toCall, toStatement } from "./statements.ts";

/** A process that finds another one migrating tries again after 50 ms, up to 100 times. */
const RETRY = { attempts: 100, pauseMs: () => 50, isRetryable: isContended } as const;

/** Bounds the read; there are far fewer migrations. */
const MAX_ROWS = 1000;

/** The table that Drizzle's own migrator uses: this program and Drizzle can continue each other's migrations. */
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS __drizzle_migrations (
  id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`;

const migrationRows = sqliteTable("__drizzle_migrations", {
  hash: text("hash").notNull(),
  createdAt: integer("created_at"),
});

const query = new QueryBuilder();
const FIND_LAST = toCall(query.select({ last: asInteger(max(migrationRows.createdAt)) }).from(migrationRows));
const FIND_ALL = toStatement(
  query
    .select({ createdAt: asInteger(migrationRows.createdAt) })
    .from(migrationRows)
    .limit(MAX_ROWS),
);

/**
 * The schema of a database: `known` = made by this program, with `applied` of the `known` migrations of this version;
 * `newer` = changed by a newer version; `foreign` = not made by this program. `problem` says so.
 */
export type SchemaState =
  | { readonly kind: "known"; readonly applied: number; readonly known: number }
  | { readonly kind: "newer" | "foreign"; readonly problem: string };

const FOREIGN: SchemaState = { kind: "foreign", problem: "it was not made by limpid" };
const NEWER: SchemaState = { kind: "newer", problem: "it was changed by a newer version of limpid" };

/** Reads the record of migrations of a database. `folder` contains the migrations of this version. */
export async function readSchemaState(database: Client | Transaction, folder: string): Promise<SchemaState> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  let applied: readonly number[];
  try {
    const { rows } = await database.execute({ sql: FIND_ALL.sql, args: FIND_ALL.args({}) });
    applied = rows.map((row) => Number(row[0]));
  } catch (error) {
    if (isTableMissing(error)) return FOREIGN;
    throw error;
  }
  if (applied.length === 0) return FOREIGN;
  const known = new Set(migrations.map(({ folderMillis }) => folderMillis));
  if (applied.some((moment) => !known.has(moment))) return NEWER;
  return { kind: "known", applied: applied.length, known: known.size };
}

/**
 * Applies the migrations of `folder` that a database lacks. `connectForMigration` opens a client with a longer timeout
 * than `client` has. The check and the migrations are one write transaction: of several processes that start at once,
 * one applies them and the others find them applied. A killed process leaves the database unchanged. A database
 * without missing migrations is not locked.
 * @throws when a newer version changed the database.
 */
export async function applyMigrations(
  client: Client,
  folder: string,
  connectForMigration: () => Client,
): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const state = await readSchemaState(client, folder);
  refuseNewer(state);
  if (state.kind === "known" && state.applied === state.known) return;
  const migrationClient = connectForMigration();
  try {
    await retryLocked(migrationClient, () => applyMissing(migrationClient, migrations, folder), RETRY);
  } finally {
    migrationClient.close();
  }
}

/** An older version would write rows that the newer one does not expect. */
function refuseNewer(state: SchemaState): void {
  if (state.kind === "newer") throw new Error(state.problem);
}

async function applyMissing(
  client: Client,
  migrations: readonly MigrationMeta[],
  folder: string,
): Promise<void> {
  const db = drizzle(client);
  const transaction = await client.transaction("write");
  try {
    await transaction.execute(CREATE_TABLE);
    // Another process may have migrated the database since it was read.
    refuseNewer(await readSchemaState(transaction, folder));
    const { rows } = await transaction.execute(FIND_LAST);
    const last = Number(rows[0]?.[0] ?? Number.NEGATIVE_INFINITY);
    for (const { sql, hash, folderMillis } of migrations) {
      if (folderMillis <= last) continue;
      for (const statement of sql) await transaction.execute(statement);
      await transaction.execute(toCall(db.insert(migrationRows).values({ hash, createdAt: folderMillis })));
    }
    await transaction.commit();
  } finally {
    transaction.close();
  }
}

/** A server ends a transaction after five seconds if another one waits. */
function isContended(error: unknown): boolean {
  return isLocked(error) || /transaction timed ?out|stream (?:not found|expired)/i.test(listCauses(error));
}
