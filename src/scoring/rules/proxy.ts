import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";
import { judgeFlag } from "./judge_flag.ts";

/** A proxy exit, public or residential. */
export const proxy: Rule = {
  id: "proxy",
  category: "anonymity",
  judge: (evidence) => judgeFlag(evidence, "isProxy", WEIGHTS.proxy),
};
