import type { Client, Transaction } from "@libsql/client";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { listCauses } from "./list_causes.ts";

/** The form of a database: how many changes of the schema it has had of those that this version knows, or why not. */
export type DatabaseForm =
  | { readonly kind: "known"; readonly applied: number; readonly known: number }
  | { readonly kind: "newer" }
  | { readonly kind: "foreign" };

/** Reads from a database's record of migrations whether it is ours, and whether a newer version has changed it. */
export async function readForm(database: Client | Transaction, folder: string): Promise<DatabaseForm> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  let applied: readonly number[];
  try {
    const { rows } = await database.execute(
      "SELECT CAST(created_at AS INTEGER) AS created_at FROM __drizzle_migrations LIMIT 1000",
    );
    applied = rows.map((row) => Number(row.created_at));
  } catch (error) {
    if (/no such table/.test(listCauses(error))) return { kind: "foreign" };
    throw error;
  }
  if (applied.length === 0) return { kind: "foreign" };
  const known = new Set(migrations.map(({ folderMillis }) => folderMillis));
  if (applied.some((moment) => !known.has(moment))) return { kind: "newer" };
  return { kind: "known", applied: applied.length, known: known.size };
}
