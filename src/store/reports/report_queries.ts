import type { Client, Row } from "@libsql/client";
import { desc, eq, exists, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import type { Conclusion } from "#report";
import { readVoteSums, selectVoteSums } from "../ratings/rating_repository.ts";
import { history, reports, voteSums } from "../schema.ts";
import { asBytes, asInteger, readText, type Statement, toStatement } from "../statements.ts";
import type { FoundReport } from "../store.ts";

/** Conclusions kept per address. */
export const HISTORY_LIMIT = 50;

type Reader = Pick<Client, "execute">;

const query = new QueryBuilder();
const address = sql.placeholder("address");

const REPORT_COLUMNS = {
  surveyedAt: asInteger(reports.surveyedAt),
  liveAnswers: asInteger(reports.liveAnswers),
  assessment: asBytes(reports.assessment),
};

/** One report: moment, number of live sources that answered, assessment, and whether there are votes (0 or 1). */
export const FIND_REPORT = toStatement(
  query
    .select({
      ...REPORT_COLUMNS,
      hasVotes: exists(query.select({ one: sql`1` }).from(voteSums).where(eq(voteSums.address, address))),
    })
    .from(reports)
    .where(eq(reports.address, address)),
);

/**
 * The same columns, with the sums of the votes instead of the last one. Collecting them costs more than the rest of
 * the query.
 */
export const FIND_RATED_REPORT = toStatement(
  query
    .select({ ...REPORT_COLUMNS, votes: sql`${selectVoteSums(address)}` })
    .from(reports)
    .where(eq(reports.address, address)),
);

const FIND_SURVEY = toStatement(
  query
    .select({ survey: asBytes(reports.survey) })
    .from(reports)
    .where(eq(reports.address, address)),
);

const FIND_HISTORY = toStatement(
  query
    .select({
      surveyedAt: asInteger(history.surveyedAt),
      purity: asInteger(history.purity),
      band: asBytes(history.band),
      scoringVersion: asInteger(history.scoringVersion),
      confidence: asBytes(history.confidence),
      coverage: asInteger(history.coverage),
    })
    .from(history)
    .where(eq(history.address, address))
    .orderBy(desc(history.surveyedAt), desc(history.scoringVersion))
    .limit(HISTORY_LIMIT),
);

/** Runs {@link FIND_REPORT} or {@link FIND_RATED_REPORT}; undefined without a report. */
export async function findRow(client: Reader, statement: Statement, text: string): Promise<Row | undefined> {
  const { rows } = await client.execute({ sql: statement.sql, args: statement.args({ address: text }) });
  return rows[0];
}

/** Whether a row of {@link FIND_REPORT} says that there are votes. */
export function hasVotes(row: ArrayLike<unknown> | undefined): boolean {
  return row?.[3] === 1;
}

/**
 * Reads all columns except the assessment from a row of {@link FIND_REPORT}, or of {@link FIND_RATED_REPORT} if
 * `isRated`.
 */
export function describeRow(
  text: string,
  row: ArrayLike<unknown>,
  isRated: boolean,
): Omit<FoundReport, "assessment"> {
  const votes = isRated ? readVoteSums(row[3]) : [];
  return { address: text, surveyedAt: Number(row[0]), liveAnswers: Number(row[1]), votes };
}

/** The stored survey of an address, compressed; undefined without a report. */
export async function findSurveyValue(client: Reader, text: string): Promise<unknown> {
  return (await findRow(client, FIND_SURVEY, text))?.[0];
}

/** Newest survey first; within one survey, newest scoring version first. */
export async function readHistory(client: Reader, text: string): Promise<readonly Conclusion[]> {
  const { rows } = await client.execute({
    sql: FIND_HISTORY.sql,
    args: FIND_HISTORY.args({ address: text }),
  });
  return rows.map((row) => ({
    surveyedAt: Number(row[0]),
    purity: Number(row[1]),
    band: readText(row[2]),
    scoringVersion: Number(row[3]),
    confidence: row[4] === null ? null : readText(row[4]),
    coverage: row[5] === null ? null : Number(row[5]) / 100,
  }));
}
