import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";
import { judgeListing } from "./judge_listing.ts";

/** The address commands a botnet. */
export const botnetController: Rule = {
  id: "botnet_controller",
  category: "lists",
  judge: (evidence) => judgeListing(evidence, "botnet", WEIGHTS.botnet_controller),
};
