import { countAttacks } from "../count_attacks.ts";
import { readSteps } from "../read_steps.ts";
import type { Rule } from "../rule.ts";
import { weighReport } from "../weigh_report.ts";
import { WEIGHTS } from "../weights.ts";

/** Attacks on record at the source that knows most of them; sources see the same attacks, so they are not added up. */
export const attackHistory: Rule = {
  id: "attack_history",
  category: "abuse",
  judge: ({ abuse, surveyedAt }) => {
    const words = abuse
      .map((word) => {
        const total = countAttacks(word);
        const full = readSteps(WEIGHTS.attack_history.steps, total);
        return { source: word.source, total, ...weighReport(word, full, surveyedAt) };
      })
      .filter((word) => word.points > 0)
      .toSorted((a, b) => b.points - a.points || b.total - a.total);
    const worst = words[0];
    if (worst === undefined) return undefined;
    const sources = words.map((word) => word.source);
    return { points: worst.points, data: { sources, total: worst.total, ...worst.data } };
  },
};
