import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";
import { judgeFlag } from "./judge_flag.ts";

/** A privacy relay: many real people, known to services, so it weighs little. */
export const relay: Rule = {
  id: "relay",
  category: "anonymity",
  judge: (evidence) => judgeFlag(evidence, "isRelay", WEIGHTS.relay),
};
