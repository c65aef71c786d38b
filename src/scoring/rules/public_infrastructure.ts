import { chargeOf } from "../charge_of.ts";
import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** A public resolver or root server is reported and listed by mistake: whoever attacks is not sending from there. */
export const publicInfrastructure: Rule = {
  id: "public_infrastructure",
  category: "relief",
  judge: ({ infrastructure }, before) => {
    if (infrastructure === undefined || infrastructure.role === "crawler") return undefined;
    const { operator, role } = infrastructure;
    const charged = chargeOf(before, "lists") + chargeOf(before, "abuse");
    return { points: -charged * WEIGHTS.public_infrastructure.share, data: { operator, role } };
  },
};
