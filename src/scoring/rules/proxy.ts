import type { Rule } from "../rule.ts";
import { weighFlag } from "../weighing.ts";
import { WEIGHTS } from "../weights.ts";

/** The exit of a public or residential proxy. */
export const proxy: Rule = {
  id: "proxy",
  category: "anonymity",
  judge: (evidence) => weighFlag(evidence, "isProxy", WEIGHTS.proxy),
};
