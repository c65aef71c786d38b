import type { Client } from "@libsql/client";
import { and, desc, eq, lte, notInArray, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import * as v from "valibot";
import { percentOf } from "#common";
import { isDamaged } from "../failures.ts";
import { dictionaries, history, reports } from "../schema.ts";
import { ROW_ID } from "../statements.ts";
import type { FoundReport, Store, StoredReport } from "../store.ts";
import { createDictionaryCache, type Dictionary } from "./dictionaries.ts";
import {
  encodeAssessment,
  encodeDocument,
  readAssessment,
  readAssessmentNow,
  readSurvey,
} from "./documents.ts";
import type { FileReader } from "./file_reader.ts";
import {
  describeRow,
  FIND_RATED_REPORT,
  FIND_REPORT,
  findRow,
  findSurveyValue,
  HISTORY_LIMIT,
  hasVotes,
  readHistory,
} from "./report_queries.ts";

/** The part of a {@link Store} that keeps reports, without its error handling. */
export type ReportRepository = Pick<Store, "find" | "findSurvey" | "save" | "rescore" | "history"> &
  Required<Pick<Store, "findSync">>;

const SurveySchema = v.looseObject({ runs: v.array(v.looseObject({})) });

/** Creates the {@link ReportRepository} of a database. `file` reads an embedded one faster than the client. */
export function createReportRepository(client: Client, file: FileReader | undefined): ReportRepository {
  const db = drizzle(client);
  const cache = createDictionaryCache();

  /**
   * The statement that writes a dictionary. It runs with every report that uses the dictionary, and repairs a damaged
   * one.
   */
  function keepDictionary({ id, content }: Dictionary) {
    return db
      .insert(dictionaries)
      .values({ id, content })
      .onConflictDoUpdate({
        target: dictionaries.id,
        set: { content },
        setWhere: sql`${dictionaries.content} <> ${content}`,
      });
  }

  /** The statements that add a conclusion to the history and keep the history within its limit. */
  function appendConclusion({ address, surveyedAt, assessment }: StoredReport) {
    const { purity, band, scoringVersion, confidence } = assessment;
    const coverage = assessment.coverage === undefined ? null : percentOf(assessment.coverage.total);
    const newest = db
      .select({ row: ROW_ID })
      .from(history)
      .where(eq(history.address, address))
      .orderBy(desc(history.surveyedAt), desc(history.scoringVersion))
      .limit(HISTORY_LIMIT);
    const stored = db
      .select({
        address: sql<string>`${address}`.as("address"),
        surveyedAt: sql<number>`${surveyedAt}`.as("surveyed_at"),
        purity: sql<number>`${purity}`.as("purity"),
        band: sql<string>`${band}`.as("band"),
        scoringVersion: sql<number>`${scoringVersion}`.as("scoring_version"),
        confidence: sql<string>`${confidence}`.as("confidence"),
        coverage: sql<number | null>`${coverage}`.as("coverage"),
      })
      .from(reports)
      .where(eq(reports.address, address));
    return [
      // Without a report, as after pruning, there is nothing to add to.
      db
        .insert(history)
        .select(stored)
        .onConflictDoUpdate({
          target: [history.address, history.surveyedAt, history.scoringVersion],
          set: { purity, band, confidence, coverage },
        }),
      db.delete(history).where(and(eq(history.address, address), notInArray(ROW_ID, newest))),
    ] as const;
  }

  /**
   * Reads a report without waiting; undefined when only the client can read it.
   * @throws when the database is damaged: another connection might report the same row as missing.
   */
  function readNow(text: string): { readonly report: FoundReport | undefined } | undefined {
    if (file === undefined) return undefined;
    try {
      const plain = file.first(FIND_REPORT.sql, FIND_REPORT.args({ address: text }));
      const isRated = hasVotes(plain);
      const row = isRated
        ? file.first(FIND_RATED_REPORT.sql, FIND_RATED_REPORT.args({ address: text }))
        : plain;
      if (row === undefined) return { report: undefined };
      // The driver of the file returns large integers inexactly; the client rejects them.
      if (!Number.isSafeInteger(row[0]) || !Number.isSafeInteger(row[1])) return undefined;
      const assessment = readAssessmentNow(text, row[2], cache);
      return assessment && { report: addAssessment(describeRow(text, row, isRated), assessment) };
    } catch (error) {
      if (isDamaged(error)) throw error;
      return undefined;
    }
  }

  return {
    findSync(text) {
      try {
        return readNow(text)?.report;
      } catch {
        return undefined;
      }
    },
    async find(text) {
      const now = readNow(text);
      if (now !== undefined) return now.report;
      const plain = await findRow(client, FIND_REPORT, text);
      const isRated = hasVotes(plain);
      const row = isRated ? await findRow(client, FIND_RATED_REPORT, text) : plain;
      if (row === undefined) return undefined;
      const assessment = await readAssessment(text, row[2], cache, client);
      return addAssessment(describeRow(text, row, isRated), assessment);
    },
    async findSurvey(text) {
      const value = await findSurveyValue(client, text);
      return value === undefined ? undefined : readSurvey(text, value, cache, client);
    },
    async save(report, survey) {
      const { address, surveyedAt, liveAnswers, assessment } = report;
      const dictionary = cache.ofRuns(runsOf(survey));
      const row = {
        address,
        surveyedAt,
        scoringVersion: assessment.scoringVersion,
        liveAnswers,
        assessment: sql`${encodeAssessment(assessment, dictionary)}`,
        survey: Buffer.from(encodeDocument(address, survey, dictionary)),
      };
      await db.batch([
        db.insert(reports).values(row).onConflictDoUpdate({ target: reports.address, set: row }),
        keepDictionary(dictionary),
        ...appendConclusion(report),
      ]);
    },
    async rescore(report) {
      const { address, surveyedAt, assessment } = report;
      const { scoringVersion } = assessment;
      const dictionary = cache.latest() ?? cache.ofRuns(assessment.sources);
      const document = encodeAssessment(assessment, dictionary);
      await db.batch([
        db
          .update(reports)
          .set({ scoringVersion, assessment: sql`${document}` })
          .where(
            and(
              eq(reports.address, address),
              eq(reports.surveyedAt, surveyedAt),
              lte(reports.scoringVersion, scoringVersion),
            ),
          ),
        keepDictionary(dictionary),
        ...appendConclusion(report),
      ]);
    },
    history: (text) => readHistory(client, text),
  };
}

/** The runs of a survey's JSON; an empty list for any other text, which is stored too. */
function runsOf(survey: string): readonly object[] {
  try {
    const parsed = v.safeParse(SurveySchema, JSON.parse(survey));
    return parsed.success ? parsed.output.runs : [];
  } catch {
    return [];
  }
}

/**
 * Omits an assessment whose survey time differs from the row's: the checksum does not cover the row, so the row is
 * damaged.
 */
function addAssessment(
  found: Omit<FoundReport, "assessment">,
  read: Awaited<ReturnType<typeof readAssessment>>,
): FoundReport {
  const belongs = typeof read !== "string" && Date.parse(read.assessment.surveyedAt) === found.surveyedAt;
  return belongs ? { ...found, ...read } : found;
}
