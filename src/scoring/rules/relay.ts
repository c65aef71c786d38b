import type { Rule } from "../rule.ts";
import { weighFlag } from "../weighing.ts";
import { WEIGHTS } from "../weights.ts";

/** The exit of a privacy relay. It has many real users and services know it, so it weighs little. */
export const relay: Rule = {
  id: "relay",
  category: "anonymity",
  judge: (evidence) => weighFlag(evidence, "isRelay", WEIGHTS.relay),
};
