import type { Rule } from "../rule.ts";
import { weighListings } from "../weighing.ts";
import { WEIGHTS } from "../weights.ts";

/** The netblock is hijacked or belongs to criminals. */
export const severeListing: Rule = {
  id: "severe_listing",
  category: "lists",
  judge: (evidence) => weighListings(evidence, "severe", WEIGHTS.severe_listing),
};
