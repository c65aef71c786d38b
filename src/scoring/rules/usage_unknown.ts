import { isNobodysExit } from "../is_nobodys_exit.ts";
import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** Somebody who can tell was heard and could not. When nobody was heard, not knowing costs nothing. */
export const usageUnknown: Rule = {
  id: "usage_unknown",
  category: "network",
  judge: (evidence) =>
    evidence.usage.type === "unknown" && evidence.usage.answered && !isNobodysExit(evidence)
      ? { ...WEIGHTS.usage_unknown, data: {} }
      : undefined,
};
