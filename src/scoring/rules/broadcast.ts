import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** Registered in one country and used in another. Which countries these are makes no difference. */
export const broadcast: Rule = {
  id: "broadcast",
  category: "location",
  judge: ({ native: { type, registered, located } }) =>
    type === "broadcast" && registered !== undefined && located !== undefined
      ? { ...WEIGHTS.broadcast, data: { registered, located } }
      : undefined,
};
