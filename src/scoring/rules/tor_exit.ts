import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";
import { judgeFlag } from "./judge_flag.ts";

/** A Tor exit: anybody can be behind it, so most services block it. */
export const torExit: Rule = {
  id: "tor_exit",
  category: "anonymity",
  judge: (evidence) => judgeFlag(evidence, "isTor", WEIGHTS.tor_exit),
};
