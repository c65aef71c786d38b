import { fade } from "../fade.ts";
import { readSteps } from "../read_steps.ts";
import { roundPoints } from "../round_points.ts";
import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** The gravest abuse score any source gives, faded by age. Scores count many reporters, so one source is enough. */
export const abuseScore: Rule = {
  id: "abuse_score",
  category: "abuse",
  judge: ({ abuse, surveyedAt }) => {
    const words = abuse
      .map(({ source, score = 0, lastSeen }) => ({
        source,
        score,
        points: roundPoints(readSteps(WEIGHTS.abuse_score.steps, score) * fade(lastSeen, surveyedAt)),
      }))
      .filter((word) => word.points > 0)
      .toSorted((a, b) => b.points - a.points || b.score - a.score);
    const worst = words[0];
    if (worst === undefined) return undefined;
    return { points: worst.points, data: { sources: words.map((word) => word.source), score: worst.score } };
  },
};
