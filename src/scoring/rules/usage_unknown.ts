import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** A source that can tell the use of the network answered and did not know it. Without such an answer it costs nothing. */
export const usageUnknown: Rule = {
  id: "usage_unknown",
  category: "network",
  judge: ({ usage, infrastructure }) =>
    usage.type === "unknown" && usage.answered && infrastructure === undefined
      ? { ...WEIGHTS.usage_unknown, data: {} }
      : undefined,
};
