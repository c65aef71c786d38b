import { chargeOf } from "../charge_of.ts";
import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** A search engine's crawler lives in a data centre and hides from nobody: neither may cost it. */
export const verifiedCrawler: Rule = {
  id: "verified_crawler",
  category: "relief",
  judge: ({ infrastructure }, before) => {
    if (infrastructure?.role !== "crawler") return undefined;
    const charged = chargeOf(before, "anonymity") + chargeOf(before, "network");
    return { points: -charged * WEIGHTS.verified_crawler.share, data: { operator: infrastructure.operator } };
  },
};
