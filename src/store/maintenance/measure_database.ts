import { statSync } from "node:fs";
import type { Client } from "@libsql/client";
import { and, count, desc, eq, getTableName, max, min, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import { describeFailure, isTableMissing } from "../failures.ts";
import { readSchemaState } from "../migrations.ts";
import type { StoreOptions } from "../open_store.ts";
import { budgets, history, reports } from "../schema.ts";
import { asBytes, asInteger, readCount, readText, toCall } from "../statements.ts";
import { StoreError } from "../store.ts";
import { countRows, MaintenanceError, openDatabase, TABLES } from "./maintenance.ts";

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

/** The reports by scoring version and band. The sizes are read, the documents are not. */
const MEASURE_REPORTS = toCall(
  new QueryBuilder()
    .select({
      scoringVersion: asInteger(reports.scoringVersion),
      band: asBytes(sql`coalesce(${history.band}, 'unreadable')`),
      rows: count(),
      assessmentBytes: sql`total(octet_length(${reports.assessment}))`,
      surveyBytes: sql`total(octet_length(${reports.survey}))`,
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
    .groupBy(reports.scoringVersion, history.band),
);

/**
 * Counts and measures a database while other processes use it, and changes nothing.
 * @throws {MaintenanceError} when the database is missing or was not made by this program; {StoreError} when it
 * fails.
 */
export async function measureDatabase(options: StoreOptions): Promise<DatabaseStats> {
  const { client, name, path } = openDatabase(options);
  try {
    if (path !== undefined) await client.execute("PRAGMA query_only=1");
    const state = await readSchemaState(client, options.migrations);
    if (state.kind !== "known") {
      const why =
        state.kind === "foreign"
          ? "it was not made by limpid"
          : "it was changed by a newer version of limpid";
      throw new MaintenanceError("damaged", `Cannot measure ${name}: ${why}`);
    }
    const tables = await countTables(client);
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
  } catch (error) {
    if (error instanceof MaintenanceError) throw error;
    throw new StoreError(`Cannot measure ${name}: ${describeFailure(error)}`, { cause: error });
  } finally {
    client.close();
  }
}

async function countTables(client: Client): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    try {
      counts[getTableName(table)] = await countRows(client, table);
    } catch (error) {
      if (!isTableMissing(error)) throw error;
    }
  }
  return counts;
}

async function measureReports(client: Client): Promise<DatabaseStats["reports"]> {
  const versions = new Map<string, number>();
  const bands = new Map<string, number>();
  let [rowCount, assessmentBytes, surveyBytes] = [0, 0, 0];
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of (await client.execute(MEASURE_REPORTS)).rows) {
    const [version, band, rows, assessments, surveys, first, last] = Array.from(row);
    add(versions, String(version), Number(rows));
    add(bands, readText(band).slice(0, 40), Number(rows));
    rowCount += Number(rows);
    assessmentBytes += Number(assessments);
    surveyBytes += Number(surveys);
    oldest = Math.min(oldest, Number(first));
    newest = Math.max(newest, Number(last));
  }
  return {
    assessmentBytes,
    surveyBytes,
    averageBytes: rowCount === 0 ? 0 : Math.round((assessmentBytes + surveyBytes) / rowCount),
    ...(rowCount === 0 ? {} : { oldest, newest }),
    byScoringVersion: Object.fromEntries(versions),
    byBand: Object.fromEntries(bands),
  };
}

function add(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
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
