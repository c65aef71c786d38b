import { statSync } from "node:fs";
import type { Client } from "@libsql/client";
import { and, count, desc, eq, getTableName, max, min, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { isTableMissing } from "../failures.ts";
import { readSchemaState } from "../migrations.ts";
import type { StoreOptions } from "../open_store.ts";
import { budgets, history, reports } from "../schema.ts";
import { asBytes, asInteger, readCount, readText } from "../statements.ts";
import { countRows, MaintenanceError, TABLES, withDatabase } from "./maintenance.ts";

const MAX_BUDGET_DAYS = 400;

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
    readonly byScoringVersion: Readonly<Record<string, number>>;
    /** By the band in the history; `unreadable` for a report whose conclusion is not in the history. */
    readonly byBand: Readonly<Record<string, number>>;
  };
  /** Queries counted per day, newest day first. Days are days since the epoch, UTC. */
  readonly budgetDays: readonly { readonly day: number; readonly sources: number; readonly used: number }[];
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
      budgetDays: await drizzle(client)
        .select({ day: asInteger(budgets.day), sources: count(), used: sql<number>`total(${budgets.used})` })
        .from(budgets)
        .groupBy(budgets.day)
        .orderBy(desc(budgets.day))
        .limit(MAX_BUDGET_DAYS),
    };
  });
}

/** The sizes of the documents are read, the documents are not. */
async function measureReports(client: Client): Promise<DatabaseStats["reports"]> {
  const groups = await drizzle(client)
    .select({
      version: asInteger(reports.scoringVersion),
      band: asBytes(sql`coalesce(${history.band}, 'unreadable')`),
      rows: count(),
      assessmentBytes: sql<number>`total(octet_length(${reports.assessment}))`,
      surveyBytes: sql<number>`total(octet_length(${reports.survey}))`,
      oldest: asInteger(sql`${min(reports.surveyedAt)}`),
      newest: asInteger(sql`${max(reports.surveyedAt)}`),
    })
    .from(reports)
    .leftJoin(
      history,
      and(
        eq(history.address, reports.address),
        eq(history.surveyedAt, reports.surveyedAt),
        eq(history.scoringVersion, reports.scoringVersion),
      ),
    )
    .groupBy(reports.scoringVersion, history.band);
  const sum = (column: "rows" | "assessmentBytes" | "surveyBytes") =>
    groups.reduce((total, group) => total + group[column], 0);
  const countBy = (nameOf: (group: (typeof groups)[number]) => string) => {
    const counts: Record<string, number> = {};
    for (const group of groups) counts[nameOf(group)] = (counts[nameOf(group)] ?? 0) + group.rows;
    return counts;
  };
  const [rows, assessmentBytes, surveyBytes] = [sum("rows"), sum("assessmentBytes"), sum("surveyBytes")];
  const oldest = Math.min(...groups.map((group) => group.oldest));
  const newest = Math.max(...groups.map((group) => group.newest));
  return {
    assessmentBytes,
    surveyBytes,
    averageBytes: rows === 0 ? 0 : Math.round((assessmentBytes + surveyBytes) / rows),
    ...(rows === 0 ? {} : { oldest, newest }),
    byScoringVersion: countBy(({ version }) => String(version)),
    byBand: countBy(({ band }) => readText(band).slice(0, 40)),
  };
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
