import type { FoundReport } from "./store.ts";
import { readVoteSums, VOTE_SUMS } from "./vote_sums.ts";

const COLUMNS = `CAST(surveyed_at AS INTEGER), CAST(live_heard AS INTEGER), CAST(assessment AS BLOB)`;

/** Columns by place: moment, sources heard, document, whether there are votes; to add them up costs more than the rest. */
export const FIND = `SELECT ${COLUMNS}, EXISTS (SELECT 1 FROM vote_sums WHERE address = ?1)
  FROM reports WHERE address = ?1`;

/** The same with the votes themselves in the last place: report and votes are of one moment. */
export const FIND_VOTED = `SELECT ${COLUMNS}, (${VOTE_SUMS}?1) FROM reports WHERE address = ?1`;

/** The packed survey of a report, in a column of that name. */
export const FIND_SURVEY = "SELECT CAST(survey AS BLOB) AS survey FROM reports WHERE address = ?1";

/** What stands beside the document in a row of {@link FIND}, or of {@link FIND_VOTED}. */
export function describeRow(
  address: string,
  row: ArrayLike<unknown>,
  isVoted: boolean,
): Omit<FoundReport, "assessment"> {
  const votes = isVoted ? readVoteSums(row[3]) : [];
  return { address, surveyedAt: Number(row[0]), liveHeard: Number(row[1]), votes };
}
