import type { Rule } from "../rule.ts";
import { weighFlag } from "../weighing.ts";
import { WEIGHTS } from "../weights.ts";

/** A Tor exit. Anyone can use it, so most services block it. */
export const torExit: Rule = {
  id: "tor_exit",
  category: "anonymity",
  judge: (evidence) => weighFlag(evidence, "isTor", WEIGHTS.tor_exit),
};
