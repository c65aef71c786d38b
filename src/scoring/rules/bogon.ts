import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** Special-purpose space. Clean and dirty do not apply to it, so it gets a middle score and no other rule runs. */
export const bogon: Rule = {
  id: "bogon",
  category: "special",
  judge: ({ special }) =>
    special === undefined
      ? undefined
      : { ...WEIGHTS.bogon, data: { block: special.block, purpose: special.purpose } },
};
