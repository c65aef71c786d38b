import { readSteps } from "../read_steps.ts";
import type { Rule } from "../rule.ts";
import { weighReport } from "../weigh_report.ts";
import { WEIGHTS } from "../weights.ts";

/** The gravest abuse score any source gives, faded by age. Scores count many reporters, so one source is enough. */
export const abuseScore: Rule = {
  id: "abuse_score",
  category: "abuse",
  judge: ({ abuse, surveyedAt }) => {
    const words = abuse
      .map((word) => {
        const { source, score = 0 } = word;
        return {
          source,
          score,
          ...weighReport(word, readSteps(WEIGHTS.abuse_score.steps, score), surveyedAt),
        };
      })
      .filter((word) => word.points > 0)
      .toSorted((a, b) => b.points - a.points || b.score - a.score);
    const worst = words[0];
    if (worst === undefined) return undefined;
    const sources = words.map((word) => word.source);
    return { points: worst.points, data: { sources, score: worst.score, ...worst.data } };
  },
};
