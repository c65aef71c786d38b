import { chargeOf } from "../charge_of.ts";
import { isSharedLine } from "../is_shared_line.ts";
import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** Gives back half of what lists and abuse charge a line that many ordinary people share. */
export const sharedLineRelief: Rule = {
  id: "shared_line_relief",
  category: "relief",
  judge: (evidence, before) => {
    if (!isSharedLine(evidence)) return undefined;
    const charged = chargeOf(before, "lists") + chargeOf(before, "abuse");
    return { points: -charged * WEIGHTS.shared_line_relief.share, data: {} };
  },
};
