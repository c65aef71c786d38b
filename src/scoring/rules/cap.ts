import type { FactorCategory, FactorId } from "../ids.ts";
import type { Rule } from "../rule.ts";
import { sumPoints } from "../sum_points.ts";
import { WEIGHTS } from "../weights.ts";

/** Ids of caps: factors that bound a category. */
export type CapId = Extract<FactorId, `${string}_cap`>;

/** Takes back what a category charges beyond its cap: one fact told by many is charged once. */
export function cap(id: CapId, category: FactorCategory): Rule {
  return {
    id,
    category: "relief",
    judge: (_, before) => {
      const limit = WEIGHTS[id].cap;
      const over = sumPoints(before, category) - limit;
      return over > 0 ? { points: -over, data: { cap: limit, over } } : undefined;
    },
  };
}
