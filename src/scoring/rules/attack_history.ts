import { countAttacks } from "../count_attacks.ts";
import { fade } from "../fade.ts";
import { readSteps } from "../read_steps.ts";
import { roundPoints } from "../round_points.ts";
import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** Attacks on record at the source that knows most of them; sources see the same attacks, so they are not added up. */
export const attackHistory: Rule = {
  id: "attack_history",
  category: "abuse",
  judge: ({ abuse, surveyedAt }) => {
    const words = abuse
      .map((word) => {
        const total = countAttacks(word);
        const weight = readSteps(WEIGHTS.attack_history.steps, total);
        return { source: word.source, total, points: roundPoints(weight * fade(word.lastSeen, surveyedAt)) };
      })
      .filter((word) => word.points > 0)
      .toSorted((a, b) => b.points - a.points || b.total - a.total);
    const worst = words[0];
    if (worst === undefined) return undefined;
    return { points: worst.points, data: { sources: words.map((word) => word.source), total: worst.total } };
  },
};
