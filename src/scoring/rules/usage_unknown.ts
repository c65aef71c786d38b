import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/**
 * A source that can report the use of the network answered and did not know it. Without such an answer the rule does
 * not apply.
 */
export const usageUnknown: Rule = {
  id: "usage_unknown",
  category: "network",
  judge: ({ usage, infrastructure }) =>
    usage.type === "unknown" && usage.answered && infrastructure === undefined
      ? { ...WEIGHTS.usage_unknown, data: {} }
      : undefined,
};
