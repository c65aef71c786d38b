import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";
import { judgeListing } from "./judge_listing.ts";

/** The netblock is hijacked or run by criminals. */
export const severeListing: Rule = {
  id: "severe_listing",
  category: "lists",
  judge: (evidence) => judgeListing(evidence, "severe", WEIGHTS.severe_listing),
};
