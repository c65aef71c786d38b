import type { AbuseRecord } from "#evidence";
import type { Rule } from "../rule.ts";
import { findWorstRecord } from "../weighing.ts";
import { WEIGHTS } from "../weights.ts";

/** The largest number of attacks on record at one source. Sources see the same attacks: they are not added. */
export const attackHistory: Rule = {
  id: "attack_history",
  category: "abuse",
  judge: ({ abuse, surveyedAt }) => {
    const worst = findWorstRecord(abuse, surveyedAt, WEIGHTS.attack_history.steps, countAttacks);
    if (worst === undefined) return undefined;
    return { points: worst.points, data: { sources: worst.sources, total: worst.measure, ...worst.data } };
  },
};

function countAttacks({ attacks }: AbuseRecord): number {
  return Object.values(attacks ?? {}).reduce(
    (sum, count) => sum + (Number.isFinite(count) ? Math.max(0, count) : 0),
    0,
  );
}
