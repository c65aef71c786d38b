import type { FactorCategory, FactorId } from "../ids.ts";
import { type Rule, sumPoints } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** Ids of caps: factors that limit the points of a category. */
type CapId = Extract<FactorId, `${string}_cap`>;

/** Creates the rule that gives back the points of a category above its cap, so that no fact counts many times. */
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
