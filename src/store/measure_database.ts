import { statSync } from "node:fs";
import type { Client } from "@libsql/client";
import { getTableName, is, Table } from "drizzle-orm";
import { describeFailure } from "./describe_failure.ts";
import { listCauses } from "./list_causes.ts";
import { MaintenanceError } from "./maintenance_error.ts";
import type { ReportProgress } from "./maintenance_progress.ts";
import { openDatabase } from "./open_database.ts";
import type { StoreOptions } from "./open_store.ts";
import { readForm } from "./read_form.ts";
import * as schema from "./schema.ts";
import { StoreError } from "./store.ts";

const PAGE_ROWS = 1000;

/** What is in a database, without an address. Sizes in bytes, moments in milliseconds since the epoch. */
export interface DatabaseStats {
  readonly database: string;
  /** Changes of the schema it has had, of those that this version knows. */
  readonly schema: { readonly applied: number; readonly known: number };
  /** Rows by table; a table that a database of an older form lacks is absent. */
  readonly tables: Readonly<Record<string, number>>;
  /** Of an embedded database. `freeBytes` are inside the file, to be used again. */
  readonly file?: { readonly bytes: number; readonly walBytes: number; readonly freeBytes: number };
  readonly reports: {
    readonly assessmentBytes: number;
    readonly surveyBytes: number;
    /** Of one report on average, both together; 0 when there is none. */
    readonly averageBytes: number;
    readonly oldest?: number;
    readonly newest?: number;
    readonly byScoringVersion: Readonly<Record<string, number>>;
    /** `unreadable` where the document names none. */
    readonly byBand: Readonly<Record<string, number>>;
  };
  /** Questions counted, newest day first; days are days since the epoch, UTC. */
  readonly budgetDays: readonly { readonly day: number; readonly sources: number; readonly used: number }[];
}

/** One page of reports, summed up inside the database; the outer columns must not touch a document that is no JSON. */
const PAGE = `SELECT max(row_id) AS last, CAST(scoring_version AS INTEGER) AS scoring_version,
  coalesce(CASE WHEN json_valid(assessment) THEN json_extract(assessment, '$.band') END, 'unreadable') AS band,
  count(*) AS rows, total(octet_length(assessment)) AS assessments, total(octet_length(survey)) AS surveys,
  CAST(min(surveyed_at) AS INTEGER) AS oldest, CAST(max(surveyed_at) AS INTEGER) AS newest
  FROM (SELECT rowid AS row_id, scoring_version, assessment, survey, surveyed_at FROM reports
    WHERE rowid > ?1 ORDER BY rowid LIMIT ?2) GROUP BY scoring_version, band`;

/**
 * Counts and measures a database page by page, while others work on it, and changes nothing.
 * @throws {MaintenanceError} when there is none or it is not ours; {StoreError} when it does not answer.
 */
export async function measureDatabase(
  options: StoreOptions,
  onProgress: ReportProgress = () => {},
): Promise<DatabaseStats> {
  const { client, name, path } = openDatabase(options);
  try {
    if (path !== undefined) await client.execute("PRAGMA query_only=1");
    const form = await readForm(client, options.migrations);
    if (form.kind !== "known") {
      const why = form.kind === "foreign" ? "it was not made by limpid" : "a newer version has changed it";
      throw new MaintenanceError("damaged", `Cannot measure ${name}: ${why}`);
    }
    const tables = await countRows(client);
    const reports = await measureReports(client, tables.reports ?? 0, onProgress);
    const days = await client.execute(
      "SELECT CAST(day AS INTEGER) AS day, count(*) AS sources, total(used) AS used FROM budgets GROUP BY day ORDER BY day DESC LIMIT 400",
    );
    return {
      database: path ?? new URL(options.url).host,
      schema: { applied: form.applied, known: form.known },
      tables,
      ...(path === undefined ? {} : { file: await measureFile(client, path) }),
      reports,
      budgetDays: days.rows.map((row) => ({
        day: Number(row.day),
        sources: Number(row.sources),
        used: Number(row.used),
      })),
    };
  } catch (error) {
    if (error instanceof MaintenanceError) throw error;
    throw new StoreError(`Cannot measure ${name}: ${describeFailure(error)}`, { cause: error });
  } finally {
    client.close();
  }
}

async function countRows(client: Client): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of Object.values(schema)) {
    if (!is(table, Table)) continue;
    const name = getTableName(table);
    try {
      const { rows } = await client.execute(`SELECT count(*) FROM ${name}`);
      counts[name] = Number(rows[0]?.[0]);
    } catch (error) {
      if (!/no such table/.test(listCauses(error))) throw error;
    }
  }
  return counts;
}

async function measureReports(
  client: Client,
  all: number,
  onProgress: ReportProgress,
): Promise<DatabaseStats["reports"]> {
  const versions = new Map<string, number>();
  const bands = new Map<string, number>();
  let [last, count, assessmentBytes, surveyBytes] = [Number.MIN_SAFE_INTEGER, 0, 0, 0];
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (;;) {
    const { rows } = await client.execute({ sql: PAGE, args: [last, PAGE_ROWS] });
    if (rows.length === 0) break;
    for (const row of rows) {
      const rowCount = Number(row.rows);
      add(versions, String(row.scoring_version), rowCount);
      add(bands, String(row.band).slice(0, 40), rowCount);
      count += rowCount;
      assessmentBytes += Number(row.assessments);
      surveyBytes += Number(row.surveys);
      oldest = Math.min(oldest, Number(row.oldest));
      newest = Math.max(newest, Number(row.newest));
    }
    last = Math.max(...rows.map((row) => Number(row.last)));
    onProgress({ doing: "measuring reports", done: count, of: Math.max(all, count) });
    await Bun.sleep(0);
  }
  return {
    assessmentBytes,
    surveyBytes,
    averageBytes: count === 0 ? 0 : Math.round((assessmentBytes + surveyBytes) / count),
    ...(count === 0 ? {} : { oldest, newest }),
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
    freeBytes: Number(free.rows[0]?.[0] ?? 0) * Number(size.rows[0]?.[0] ?? 0),
  };
}
