import type { Client, Row } from "@libsql/client";
import { asc, gt, type SQL, sql } from "drizzle-orm";
import { QueryBuilder, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { parseAddress } from "#address";
import { describeFailure, isDamaged } from "../failures.ts";
import { readSchemaState, type SchemaState } from "../migrations.ts";
import type { StoreOptions } from "../open_store.ts";
import { createDictionaryCache, type DictionaryCache } from "../reports/dictionaries.ts";
import { checkDocument, MAX_DOCUMENT_BYTES } from "../reports/documents.ts";
import { history, reports } from "../schema.ts";
import { asBytes, ROW_ID, readText, toStatement } from "../statements.ts";
import { countRows, withDatabase } from "./maintenance.ts";

const PAGE_ROWS = 200;

/** Problems that are described; the others are only counted. */
const MAX_PROBLEMS = 20;

export interface DatabaseCheck {
  /** Whether the database was made by this program, and has a schema that this version knows. */
  readonly form: SchemaState["kind"];
  /** No problem was found. */
  readonly isSound: boolean;
  /** The first problems, one sentence each. */
  readonly problems: readonly string[];
  readonly problemCount: number;
  readonly reports: number;
  readonly history: number;
  /** Reports in a format that is no longer read. They count as not stored. */
  readonly unread: number;
  /** Absent when a server does not support the check. */
  readonly structure?: "ok" | "damaged";
}

const query = new QueryBuilder();

/** Selects a document, or NULL when it is larger than {@link MAX_DOCUMENT_BYTES}. */
function readBounded(column: SQLiteColumn): SQL {
  return sql`CASE WHEN octet_length(${column}) <= ${MAX_DOCUMENT_BYTES} THEN ${asBytes(column)} END`;
}

/** Memory is bounded by one page of reports. */
const READ_PAGE = toStatement(
  query
    .select({
      rowId: ROW_ID,
      address: asBytes(reports.address),
      assessment: readBounded(reports.assessment),
      survey: readBounded(reports.survey),
    })
    .from(reports)
    .where(gt(ROW_ID, sql.placeholder("after")))
    .orderBy(asc(ROW_ID))
    .limit(PAGE_ROWS),
);

/**
 * Checks a whole database and writes nothing: SQLite's check of every page and index, then every report (its documents
 * are sound and belong to its address). Other processes may use the database meanwhile; each page of rows shows the state
 * at the moment it is read.
 * @throws {MaintenanceError} when there is no database, {StoreError} when it does not answer.
 */
export async function checkDatabase(options: StoreOptions): Promise<DatabaseCheck> {
  return withDatabase(options, "check", async ({ client, path }) => {
    try {
      if (path !== undefined) await client.execute("PRAGMA query_only=1");
      return await check(client, options.migrations);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      const problems = [`the file cannot be read: ${describeFailure(error)}`];
      const nothing = { form: "foreign", reports: 0, history: 0, unread: 0 } as const;
      return { isSound: false, problems, problemCount: 1, ...nothing, structure: "damaged" };
    }
  });
}

async function check(client: Client, migrations: string): Promise<DatabaseCheck> {
  const problems: string[] = [];
  let problemCount = 0;
  const report = (problem: string) => {
    problemCount += 1;
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };

  const state = await readSchemaState(client, migrations);
  if (state.kind === "foreign") report("it was not made by limpid");
  if (state.kind === "newer") report("it was changed by a newer version of limpid");

  const structure = await checkStructure(client, report);
  const counts = { reports: 0, history: 0, unread: 0 };
  /** A damaged page in one table must not hide the problems of the others. */
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (state.kind === "known") report(`${what} cannot be read: ${describeFailure(error)}`);
    }
  };

  await attempt("reports", async () => {
    const dictionaries = createDictionaryCache();
    for (let after = Number.MIN_SAFE_INTEGER; ; ) {
      const { rows } = await client.execute({ sql: READ_PAGE.sql, args: READ_PAGE.args({ after }) });
      if (rows.length === 0) break;
      for (const row of rows) {
        const found = await checkReport(row, dictionaries, client);
        if (found === "unread") counts.unread += 1;
        else if (found !== "sound") report(`report "${readText(row[1]).slice(0, 50)}": ${found}`);
      }
      counts.reports += rows.length;
      after = Number(rows.at(-1)?.[0]);
    }
  });
  await attempt("the history", async () => {
    counts.history = await countRows(client, history);
  });
  const found = { form: state.kind, isSound: problemCount === 0, problems, problemCount, ...counts };
  return structure === undefined ? found : { ...found, structure };
}

/** https://www.sqlite.org/pragma.html#pragma_integrity_check */
async function checkStructure(
  client: Client,
  report: (problem: string) => void,
): Promise<DatabaseCheck["structure"]> {
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

/** Returns `sound`, `unread`, or the problem of a row. Columns of a row: row id, address, assessment, survey. */
async function checkReport(row: Row, dictionaries: DictionaryCache, client: Client): Promise<string> {
  const address = readText(row[1]);
  if (parseAddress(address)?.text !== address) return "its address is not in canonical form";
  let found = "sound";
  for (const [what, value] of [
    ["survey", row[3]],
    ["document", row[2]],
  ] as const) {
    if (value === null) return `its ${what} is missing or too long`;
    const document = checkDocument(address, value);
    if (document === "unread") found = "unread";
    // A document with a correct checksum is not parsed.
    else if (document === "damaged" || (await dictionaries.find(document.dictionaryId, client)) === undefined)
      return `its ${what} is damaged`;
  }
  return found;
}
