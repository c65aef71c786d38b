import type { Client, Transaction } from "@libsql/client";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { isLocked } from "./is_locked.ts";
import { listCauses } from "./list_causes.ts";

/** A starter that finds another at work looks again after this time, and so often at most. */
const PAUSE_MS = 50;
const TURNS = 100;

/** The table that Drizzle's own migrator keeps, so that either reads what the other has done. */
const CREATE = `CREATE TABLE IF NOT EXISTS __drizzle_migrations (
  id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`;
const LAST = "SELECT CAST(max(created_at) AS INTEGER) AS last FROM __drizzle_migrations";
const RECORD = "INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?1, ?2)";

/**
 * Applies the migrations of a folder that a database lacks, over a client that waits longer than `client` does.
 * Looking and applying are one write transaction: of several processes that start at once, on one file or on one
 * server, one does the work and the others find it done. A process that is killed meanwhile has done nothing.
 */
export async function bringUpToDate(
  client: Client,
  folder: string,
  connectPatiently: () => Client,
): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  if (await hasAll(client, migrations)) return;
  const patient = connectPatiently();
  try {
    for (let turn = 1; !(await tryToApply(patient, migrations, turn < TURNS)); turn += 1) {
      // The driver leaves a statement that met a lock open, and its connection can no longer commit.
      await patient.reconnect();
      await Bun.sleep(PAUSE_MS);
    }
  } finally {
    patient.close();
  }
}

/** Takes no lock: an ordinary start changes nothing and waits for nobody. */
async function hasAll(client: Client, migrations: readonly MigrationMeta[]): Promise<boolean> {
  try {
    const last = await readLast(client);
    return migrations.every(({ folderMillis }) => folderMillis <= last);
  } catch (error) {
    if (/no such table/.test(listCauses(error))) return false;
    throw error;
  }
}

/** False when another was at work and it may be tried again. */
async function tryToApply(
  client: Client,
  migrations: readonly MigrationMeta[],
  mayTryAgain: boolean,
): Promise<boolean> {
  try {
    await apply(client, migrations);
    return true;
  } catch (error) {
    if (mayTryAgain && isContended(error)) return false;
    throw error;
  }
}

async function apply(client: Client, migrations: readonly MigrationMeta[]): Promise<void> {
  const transaction = await client.transaction("write");
  try {
    await transaction.execute(CREATE);
    const last = await readLast(transaction);
    for (const { sql, hash, folderMillis } of migrations) {
      if (folderMillis <= last) continue;
      for (const statement of sql) await transaction.execute(statement);
      await transaction.execute({ sql: RECORD, args: [hash, folderMillis] });
    }
    await transaction.commit();
  } finally {
    transaction.close();
  }
}

async function readLast(database: Client | Transaction): Promise<number> {
  const { rows } = await database.execute(LAST);
  return Number(rows[0]?.last ?? Number.NEGATIVE_INFINITY);
}

/** A server takes the turn away from one who has held it for five seconds while another waits. */
function isContended(error: unknown): boolean {
  return isLocked(error) || /transaction timed ?out|stream (?:not found|expired)/i.test(listCauses(error));
}
