import { chargeOf } from "../charge_of.ts";
import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/**
 * A public resolver or root server is nobody's exit: it lives in a data centre because it must, and is reported and
 * listed by mistake, since whoever attacks is not sending from there. Floors stand.
 */
export const publicInfrastructure: Rule = {
  id: "public_infrastructure",
  category: "relief",
  judge: ({ infrastructure }, before) => {
    if (infrastructure === undefined || infrastructure.role === "crawler") return undefined;
    const { operator, role } = infrastructure;
    const matters = ["anonymity", "network", "lists", "abuse"] as const;
    const charged = matters.reduce((sum, matter) => sum + chargeOf(before, matter), 0);
    return { points: -charged * WEIGHTS.public_infrastructure.share, data: { operator, role } };
  },
};
