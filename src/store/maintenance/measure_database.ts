import { statSync } from "node:fs";
import { getTableName, max, min, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { isTableMissing } from "../failures.ts";
import { readSchemaState } from "../migrations.ts";
import type { StoreOptions } from "../open_store.ts";
import { reports } from "../schema.ts";
import { asInteger } from "../statements.ts";
import { MaintenanceError, TABLES, withDatabase } from "./maintenance.ts";

/** The content of a database, without any address. Sizes in bytes, moments in milliseconds since the epoch. */
export type DatabaseStats = Awaited<ReturnType<typeof measureDatabase>>;

/**
 * Counts and measures a database while other processes use it, and changes nothing. The sizes of the documents are
 * read, the documents are not.
 * @throws {MaintenanceError} when the database is missing or was not made by this program; {StoreError} when it
 * fails.
 */
export async function measureDatabase(options: StoreOptions) {
  return withDatabase(options, "measure", async ({ client, name, path }) => {
    const db = drizzle(client);
    const readPragma = async (pragma: string) => Number((await client.execute(pragma)).rows[0]?.[0] ?? 0);
    if (path !== undefined) await client.execute("PRAGMA query_only=1");
    const state = await readSchemaState(client, options.migrations);
    if (state.kind !== "known")
      throw new MaintenanceError("damaged", `Cannot measure ${name}: ${state.problem}`);
    const tables: Record<string, number> = {};
    for (const table of TABLES) {
      try {
        tables[getTableName(table)] = await db.$count(table);
      } catch (error) {
        // An older database lacks it.
        if (!isTableMissing(error)) throw error;
      }
    }
    const [sums] = await db
      .select({
        assessmentBytes: sql<number>`total(octet_length(${reports.assessment}))`,
        surveyBytes: sql<number>`total(octet_length(${reports.survey}))`,
        oldest: asInteger(sql`${min(reports.surveyedAt)}`),
        newest: asInteger(sql`${max(reports.surveyedAt)}`),
      })
      .from(reports);
    const { assessmentBytes = 0, surveyBytes = 0, ...moments } = sums ?? {};
    const { reports: rows = 0 } = tables;
    const ages: Partial<typeof moments> = rows === 0 ? {} : moments;
    const file = path !== undefined && {
      bytes: statSync(path).size,
      walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      /** Free for new rows. */
      freeBytes: (await readPragma("PRAGMA freelist_count")) * (await readPragma("PRAGMA page_size")),
    };
    return {
      database: path ?? new URL(options.url).host,
      /** Number of applied migrations, and of the migrations that this version knows. */
      schema: { applied: state.applied, known: state.known },
      /** Rows by table. */
      tables: tables as Readonly<Record<string, number>>,
      ...(file ? { file } : {}),
      reports: {
        assessmentBytes,
        surveyBytes,
        /** Both documents of a report together. */
        averageBytes: rows === 0 ? 0 : Math.round((assessmentBytes + surveyBytes) / rows),
        ...ages,
      },
    };
  });
}
