import type { Rule } from "../rule.ts";
import { weighListings } from "../weighing.ts";
import { WEIGHTS } from "../weights.ts";

/** The address controls a botnet. */
export const botnetController: Rule = {
  id: "botnet_controller",
  category: "lists",
  judge: (evidence) => weighListings(evidence, "botnet", WEIGHTS.botnet_controller),
};
