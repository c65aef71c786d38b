import { type Rule, sumCappedPoints } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** The crawler of a search engine is in a data centre and does not hide, so neither costs it points. */
export const verifiedCrawler: Rule = {
  id: "verified_crawler",
  category: "relief",
  judge: ({ infrastructure }, before) => {
    if (infrastructure?.role !== "crawler") return undefined;
    const charged = sumCappedPoints(before, "anonymity") + sumCappedPoints(before, "network");
    return { points: -charged * WEIGHTS.verified_crawler.share, data: { operator: infrastructure.operator } };
  },
};
