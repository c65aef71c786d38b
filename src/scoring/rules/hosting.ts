import type { Rule } from "../rule.ts";
import { weighFlag } from "../weighing.ts";
import { WEIGHTS } from "../weights.ts";

/** A data centre or cloud. This is not a fault, but few people browse from there. */
export const hosting: Rule = {
  id: "hosting",
  category: "network",
  judge: (evidence) => weighFlag(evidence, "isHosting", WEIGHTS.hosting),
};
