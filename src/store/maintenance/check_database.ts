import type { Client } from "@libsql/client";
import { getTableName, gt, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { parseAddress } from "#address";
import { describeFailure } from "../failures.ts";
import { readSchemaState, type SchemaState } from "../migrations.ts";
import type { StoreOptions } from "../open_store.ts";
import { createDictionaryCache, type DictionaryCache } from "../reports/dictionaries.ts";
import { checkDocument, MAX_DOCUMENT_BYTES } from "../reports/documents.ts";
import { history, reports } from "../schema.ts";
import { asBytes, ROW_ID, readText } from "../statements.ts";
import { TABLES, withDatabase } from "./maintenance.ts";

const PAGE_ROWS = 200;

/** Problems that are described; the others are only counted. */
const MAX_PROBLEMS = 20;

export type DatabaseCheck = Awaited<ReturnType<typeof checkDatabase>>;

/** Selects a document, or NULL when it is larger than {@link MAX_DOCUMENT_BYTES}. */
function readBounded(column: SQLiteColumn): SQL<ArrayBuffer | null> {
  return sql`CASE WHEN octet_length(${column}) <= ${MAX_DOCUMENT_BYTES} THEN ${asBytes(column)} END`;
}

const REPORT = {
  rowId: ROW_ID,
  address: asBytes(reports.address),
  assessment: readBounded(reports.assessment),
  survey: readBounded(reports.survey),
};

/**
 * Checks a whole database and writes nothing: SQLite's check of every page and index, then every report (its documents
 * are sound and belong to its address). Other processes may use the database meanwhile; each page of rows shows the state
 * at the moment it is read.
 * @throws {MaintenanceError} when there is no database, {StoreError} when it does not answer.
 */
export async function checkDatabase(options: StoreOptions) {
  return withDatabase(options, "check", async ({ client, path }) => {
    const problems: string[] = [];
    let problemCount = 0;
    const report = (problem: string) => {
      problemCount += 1;
      if (problems.length < MAX_PROBLEMS) problems.push(problem);
    };
    if (path !== undefined) await client.execute("PRAGMA query_only=1");
    const structure = await checkStructure(client, report);
    const form = await checkForm(client, options.migrations, report).catch((error: unknown) => {
      if (structure !== "damaged") throw error;
      return "foreign" as const;
    });
    const counts = { reports: 0, history: 0, unread: 0 };
    try {
      const db = drizzle(client);
      const dictionaries = createDictionaryCache();
      for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined; ) {
        const page = db.select(REPORT).from(reports).where(gt(ROW_ID, after)).orderBy(ROW_ID);
        const rows: ReportRow[] = await page.limit(PAGE_ROWS);
        for (const row of rows) {
          const found = await checkReport(row, dictionaries, client);
          if (found === "unread") counts.unread += 1;
          else if (found !== "sound") report(`report "${readText(row.address).slice(0, 50)}": ${found}`);
        }
        counts.reports += rows.length;
        after = rows.at(-1)?.rowId;
      }
      counts.history = await db.$count(history);
    } catch (error) {
      if (form === "known") report(`its rows cannot be read: ${describeFailure(error)}`);
    }
    return {
      form,
      isSound: problemCount === 0,
      /** The first problems, one sentence each. */
      problems: problems as readonly string[],
      problemCount,
      /** Reports that are `unread` are in a format that is no longer read. They count as not stored. */
      ...counts,
      /** Absent when a server does not support the check. */
      ...(structure === undefined ? {} : { structure }),
    };
  });
}

/** https://www.sqlite.org/pragma.html#pragma_integrity_check */
async function checkStructure(
  client: Client,
  report: (problem: string) => void,
): Promise<"ok" | "damaged" | undefined> {
  try {
    const { rows } = await client.execute(`PRAGMA integrity_check(${MAX_PROBLEMS})`);
    const found = rows.map((row) => String(row[0]));
    if (found.length === 1 && found[0] === "ok") return "ok";
    for (const problem of found) report(`structure: ${problem.replaceAll(/\s+/g, " ").slice(0, 200)}`);
    return found.length === 0 ? undefined : "damaged";
  } catch (error) {
    if (client.protocol !== "file") return undefined;
    report(`structure: ${describeFailure(error)}`);
    return "damaged";
  }
}

/** The record of migrations is not part of the schema. */
const OWN_TABLES = new Set([...TABLES.map(getTableName), "__drizzle_migrations"]);

/**
 * Checks the record of migrations, and that a file has no object that no version of this program makes: a trigger or
 * view would run at each write or read. Names that begin with `sqlite_` are reserved for SQLite itself.
 */
async function checkForm(
  client: Client,
  migrations: string,
  report: (problem: string) => void,
): Promise<SchemaState["kind"]> {
  const state = await readSchemaState(client, migrations);
  if (state.kind !== "known") {
    report(state.problem);
    return state.kind;
  }
  if (client.protocol !== "file") return "known";
  const { rows } = await client.execute("SELECT type, name, tbl_name FROM sqlite_master");
  const foreign = rows.find(({ type, name, tbl_name: table }) => {
    if (type === "index") return !OWN_TABLES.has(String(table));
    return type !== "table" || !(OWN_TABLES.has(String(name)) || /^sqlite_/i.test(String(name)));
  });
  if (foreign === undefined) return "known";
  const name = String(foreign.name)
    .slice(0, 40)
    .replaceAll(/[^\w.-]/g, "?");
  report(`it has a ${foreign.type} "${name}" that limpid did not make`);
  return "foreign";
}

type ReportRow = { [Key in keyof typeof REPORT]: (typeof REPORT)[Key]["_"]["type"] };

/** Returns `sound`, `unread`, or the problem of a report. A document with a correct checksum is not parsed. */
async function checkReport(row: ReportRow, dictionaries: DictionaryCache, client: Client): Promise<string> {
  const address = readText(row.address);
  if (parseAddress(address)?.text !== address) return "its address is not in canonical form";
  let found = "sound";
  for (const [what, value] of Object.entries({ survey: row.survey, document: row.assessment })) {
    if (value === null) return `its ${what} is missing or too long`;
    const document = checkDocument(address, value);
    if (document === "unread") found = "unread";
    else if (document === "damaged" || (await dictionaries.find(document.dictionaryId, client)) === undefined)
      return `its ${what} is damaged`;
  }
  return found;
}
