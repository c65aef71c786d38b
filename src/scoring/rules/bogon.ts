import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** Special-purpose space: neither clean nor dirty, so it sits in the middle and nothing else is judged. */
export const bogon: Rule = {
  id: "bogon",
  category: "special",
  judge: ({ special }) =>
    special === undefined
      ? undefined
      : { ...WEIGHTS.bogon, data: { block: special.block, purpose: special.purpose } },
};
