import type { Client, Row } from "@libsql/client";
import { parseAddress } from "#address";
import { type CastBook, createCastBook } from "./cast_book.ts";
import { describeFailure } from "./describe_failure.ts";
import { HISTORY_LIMIT } from "./history_limit.ts";
import { isDamaged } from "./is_damaged.ts";
import type { ReportProgress } from "./maintenance_progress.ts";
import { openDatabase } from "./open_database.ts";
import type { StoreOptions } from "./open_store.ts";
import { readAssessment } from "./read_assessment.ts";
import { type DatabaseForm, readForm } from "./read_form.ts";
import { readSurvey } from "./read_survey.ts";
import { readText } from "./read_text.ts";
import { isSealed, unseal } from "./seal.ts";
import { walkRows } from "./walk_rows.ts";

const PAGE_ROWS = 200;

/** Far above any document of ours; a longer one is not read. */
const MAX_ASSESSMENT_BYTES = 2_000_000;

/** So many are told apart; of the rest the number is enough. */
const MAX_PROBLEMS = 20;

/** What a look through a database found. */
export interface DatabaseCheck {
  /** Whether it is ours, and of a version that is known here. */
  readonly form: DatabaseForm["kind"];
  /** No problem was found. */
  readonly isSound: boolean;
  /** The first of them, one sentence each. */
  readonly problems: readonly string[];
  readonly problemCount: number;
  readonly reports: number;
  readonly history: number;
  /** Reports in a form that this version no longer reads; their surveys are judged anew when they are asked for. */
  readonly unread: number;
  /** Conclusions about addresses without a report; pruning removes them. */
  readonly left: number;
  /** Absent: a server did not let itself be looked into. */
  readonly structure?: "ok" | "damaged";
}

/**
 * Looks through a whole database and writes nothing: SQLite's own check of every page and index, then every report
 * (the document is JSON and of the address it stands under, the survey unpacks), the length of every history and the
 * sums of all votes. A server may be at work on it; rows are read page by page, each page as it stands by then.
 * @throws {MaintenanceError} when there is no database, {StoreError} or the driver's error when it cannot be asked.
 */
export async function checkDatabase(
  options: StoreOptions,
  onProgress: ReportProgress = () => {},
): Promise<DatabaseCheck> {
  const { client, path } = openDatabase(options);
  try {
    if (path !== undefined) await client.execute("PRAGMA query_only=1");
    return await lookThrough(client, options.migrations, onProgress);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const problem = `the file cannot be read: ${describeFailure(error)}`;
    const nothing = { form: "foreign", reports: 0, history: 0, unread: 0, left: 0 } as const;
    return { isSound: false, problems: [problem], problemCount: 1, ...nothing, structure: "damaged" };
  } finally {
    client.close();
  }
}

async function lookThrough(
  client: Client,
  migrations: string,
  onProgress: ReportProgress,
): Promise<DatabaseCheck> {
  const problems: string[] = [];
  let problemCount = 0;
  const complain = (problem: string) => {
    problemCount += 1;
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };

  const form = await readForm(client, migrations);
  if (form.kind === "foreign") complain("it was not made by limpid");
  if (form.kind === "newer") complain("it was changed by a newer version of limpid");

  onProgress({ doing: "checking pages and indexes", done: 0 });
  const structure = await checkStructure(client, complain);
  let [reports, history, unread, left] = [0, 0, 0, 0];
  /** What one damaged page hides must not hide what the others show. */
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (form.kind === "known") complain(`${what} cannot be read: ${describeFailure(error)}`);
    }
  };

  await attempt("reports", async () => {
    const all = await count(client, "reports");
    const casts = createCastBook();
    const columns = `CAST(address AS BLOB) AS address,
      CASE WHEN octet_length(assessment) <= ${MAX_ASSESSMENT_BYTES} THEN CAST(assessment AS BLOB) END AS assessment,
      CASE WHEN octet_length(survey) <= ${MAX_ASSESSMENT_BYTES} THEN CAST(survey AS BLOB) END AS survey`;
    for await (const rows of walkRows(client, { table: "reports", columns, pageRows: PAGE_ROWS })) {
      for (const row of rows) {
        const found = await judgeReport(row, casts, client);
        if (found === "unread") unread += 1;
        else if (found !== "fine") complain(`report "${readText(row.address).slice(0, 50)}": ${found}`);
      }
      reports += rows.length;
      onProgress({ doing: "reading reports", done: reports, of: Math.max(all, reports) });
      // Between two pages whoever watches is let in.
      await Bun.sleep(0);
    }
  });
  await attempt("the history", async () => {
    onProgress({ doing: "counting history", done: reports, of: reports });
    history = await count(client, "history");
    left = await first(
      client,
      `SELECT count(*) FROM history h WHERE NOT EXISTS (SELECT 1 FROM reports r WHERE r.address = h.address)`,
    );
    const tooLong = await client.execute(
      `SELECT CAST(address AS BLOB) AS address, count(*) AS n FROM history GROUP BY address HAVING n > ${HISTORY_LIMIT} LIMIT ${MAX_PROBLEMS}`,
    );
    for (const row of tooLong.rows) complain(`history of "${readText(row.address)}": ${row.n} conclusions`);
  });
  await attempt("the votes", async () => {
    const wrong = await client.execute(
      `SELECT CAST(s.address AS BLOB) AS address, CAST(s.scenario AS BLOB) AS scenario FROM vote_sums s WHERE (s.count, s.sum) IS NOT
        (SELECT count(*), coalesce(sum(v.rating), 0) FROM votes v WHERE v.address = s.address AND v.scenario = s.scenario)
        LIMIT ${MAX_PROBLEMS}`,
    );
    for (const row of wrong.rows)
      complain(`votes on "${readText(row.address)}" for "${readText(row.scenario)}": the sum is not theirs`);
  });
  return {
    form: form.kind,
    isSound: problemCount === 0,
    problems,
    problemCount,
    reports,
    history,
    unread,
    left,
    ...(structure === undefined ? {} : { structure }),
  };
}

/** https://www.sqlite.org/pragma.html#pragma_integrity_check */
async function checkStructure(
  client: Client,
  complain: (problem: string) => void,
): Promise<DatabaseCheck["structure"]> {
  try {
    const { rows } = await client.execute(`PRAGMA integrity_check(${MAX_PROBLEMS})`);
    const found = rows.map((row) => String(row[0]));
    if (found.length === 1 && found[0] === "ok") return "ok";
    for (const problem of found) complain(`structure: ${problem.replaceAll(/\s+/g, " ").slice(0, 200)}`);
    return found.length === 0 ? undefined : "damaged";
  } catch (error) {
    if (client.protocol !== "file") return undefined;
    complain(`structure: ${describeFailure(error)}`);
    return "damaged";
  }
}

async function judgeReport(row: Row, casts: CastBook, client: Client): Promise<string> {
  const address = readText(row.address);
  if (parseAddress(address)?.text !== address) return "no address in its one spelling";
  if (!(row.survey instanceof ArrayBuffer)) return "its survey is missing or too long";
  try {
    // What its checksum shows to be as it was written needs no second look.
    if (!(await isWhole(address, row.survey, casts, client)))
      JSON.parse(await readSurvey(address, row.survey, casts, client));
  } catch {
    return "its survey cannot be read";
  }
  if (row.assessment === null) return "its document is missing or too long";
  if (await isWhole(address, row.assessment, casts, client)) return "fine";
  const assessment = await readAssessment(address, row.assessment, casts, client);
  if (typeof assessment !== "string") return "fine";
  if (assessment === "foreign") return "its document is of another address";
  if (assessment === "unread") return "unread";
  return isSealed(row.assessment) ? "its document is damaged" : "its document is not JSON";
}

async function isWhole(address: string, value: unknown, casts: CastBook, client: Client): Promise<boolean> {
  const sealed = isSealed(value) ? unseal(address, value) : undefined;
  return sealed !== undefined && (await casts.find(sealed.castId, client)) !== undefined;
}

async function count(client: Client, table: string): Promise<number> {
  return first(client, `SELECT count(*) FROM ${table}`);
}

async function first(client: Client, sql: string): Promise<number> {
  const { rows } = await client.execute(sql);
  return Number(rows[0]?.[0] ?? 0);
}
