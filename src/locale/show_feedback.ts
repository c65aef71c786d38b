import { type Report, SCENARIOS } from "#report";

/** Ratings a use needs before it is shown. */
const SHOWN_FROM = 3;

/** All ratings of one use of an address: how many, and their sum. */
export interface RatingSum {
  readonly scenario: string;
  readonly count: number;
  readonly sum: number;
}

/** The `feedback` of a report: uses with at least 3 ratings, averages to 2 decimals. Undefined when there is none. */
export function showFeedback(votes: readonly RatingSum[]): Report["feedback"] {
  const shown = SCENARIOS.flatMap((scenario) => {
    const found = votes.find((vote) => vote.scenario === scenario);
    if (found === undefined || found.count < SHOWN_FROM) return [];
    return [[scenario, { count: found.count, average: Math.round((found.sum / found.count) * 100) / 100 }]];
  });
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}
