import { type Rule, sumCappedPoints } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/**
 * A public resolver or root server is not an exit. It is always in a data centre. Reports and listings of it are
 * mistakes, because attackers do not send from there. Floors still apply.
 */
export const publicInfrastructure: Rule = {
  id: "public_infrastructure",
  category: "relief",
  judge: ({ infrastructure }, before) => {
    if (infrastructure === undefined || infrastructure.role === "crawler") return undefined;
    const { operator, role } = infrastructure;
    const categories = ["anonymity", "network", "lists", "abuse"] as const;
    const charged = categories.reduce((sum, category) => sum + sumCappedPoints(before, category), 0);
    return { points: -charged * WEIGHTS.public_infrastructure.share, data: { operator, role } };
  },
};
