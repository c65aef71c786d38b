import type { Rule } from "../rule.ts";
import { findWorstRecord } from "../weighing.ts";
import { WEIGHTS } from "../weights.ts";

/** The worst abuse score of a source, less by age. A score already sums up many reporters, so one source is enough. */
export const abuseScore: Rule = {
  id: "abuse_score",
  category: "abuse",
  judge: ({ abuse, surveyedAt }) => {
    const { steps } = WEIGHTS.abuse_score;
    const worst = findWorstRecord(abuse, surveyedAt, steps, (record) => record.score ?? 0);
    if (worst === undefined) return undefined;
    return { points: worst.points, data: { sources: worst.sources, score: worst.measure, ...worst.data } };
  },
};
