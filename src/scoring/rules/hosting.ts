import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";
import { judgeFlag } from "./judge_flag.ts";

/** A data centre or cloud: no fault in itself, but people rarely browse from there. */
export const hosting: Rule = {
  id: "hosting",
  category: "network",
  judge: (evidence) => judgeFlag(evidence, "isHosting", WEIGHTS.hosting),
};
