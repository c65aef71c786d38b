import { statSync } from "node:fs";
import type { Client } from "@libsql/client";
import { count, getTableName, max, min, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { isTableMissing } from "../failures.ts";
import { readSchemaState } from "../migrations.ts";
import type { StoreOptions } from "../open_store.ts";
import { reports } from "../schema.ts";
import { asInteger, readCount } from "../statements.ts";
import { countRows, MaintenanceError, TABLES, withDatabase } from "./maintenance.ts";

/** The content of a database, without any address. Sizes in bytes, moments in milliseconds since the epoch. */
export interface DatabaseStats {
  readonly database: string;
  /** Number of applied migrations, and of the migrations that this version knows. */
  readonly schema: { readonly applied: number; readonly known: number };
  /** Rows by table; tables that an older database lacks are absent. */
  readonly tables: Readonly<Record<string, number>>;
  /** Present for an embedded database. `freeBytes` of the file are free for new rows. */
  readonly file?: { readonly bytes: number; readonly walBytes: number; readonly freeBytes: number };
  readonly reports: {
    readonly assessmentBytes: number;
    readonly surveyBytes: number;
    /** Average of one report, both documents together; 0 without a report. */
    readonly averageBytes: number;
    readonly oldest?: number;
    readonly newest?: number;
  };
}

/**
 * Counts and measures a database while other processes use it, and changes nothing.
 * @throws {MaintenanceError} when the database is missing or was not made by this program; {StoreError} when it
 * fails.
 */
export async function measureDatabase(options: StoreOptions): Promise<DatabaseStats> {
  return withDatabase(options, "measure", async ({ client, name, path }) => {
    if (path !== undefined) await client.execute("PRAGMA query_only=1");
    const state = await readSchemaState(client, options.migrations);
    if (state.kind !== "known") {
      const by = state.kind === "foreign" ? "it was not made by" : "it was changed by a newer version of";
      throw new MaintenanceError("damaged", `Cannot measure ${name}: ${by} limpid`);
    }
    const tables: Record<string, number> = {};
    for (const table of TABLES) {
      try {
        tables[getTableName(table)] = await countRows(client, table);
      } catch (error) {
        if (!isTableMissing(error)) throw error;
      }
    }
    return {
      database: path ?? new URL(options.url).host,
      schema: { applied: state.applied, known: state.known },
      tables,
      ...(path === undefined ? {} : { file: await measureFile(client, path) }),
      reports: await measureReports(client),
    };
  });
}

/** The sizes of the documents are read, the documents are not. */
async function measureReports(client: Client): Promise<DatabaseStats["reports"]> {
  const [sums] = await drizzle(client)
    .select({
      rows: count(),
      assessmentBytes: sql<number>`total(octet_length(${reports.assessment}))`,
      surveyBytes: sql<number>`total(octet_length(${reports.survey}))`,
      oldest: asInteger(sql`${min(reports.surveyedAt)}`),
      newest: asInteger(sql`${max(reports.surveyedAt)}`),
    })
    .from(reports);
  if (sums === undefined || sums.rows === 0) return { assessmentBytes: 0, surveyBytes: 0, averageBytes: 0 };
  const { rows, ...measured } = sums;
  return { ...measured, averageBytes: Math.round((sums.assessmentBytes + sums.surveyBytes) / rows) };
}

async function measureFile(client: Client, path: string): Promise<NonNullable<DatabaseStats["file"]>> {
  const free = await client.execute("PRAGMA freelist_count");
  const size = await client.execute("PRAGMA page_size");
  return {
    bytes: statSync(path).size,
    walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    freeBytes: readCount(free.rows) * readCount(size.rows),
  };
}
