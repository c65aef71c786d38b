import type { Evidence, ListingMeaning } from "#evidence";
import { countLists } from "../count_lists.ts";
import { findListed } from "../find_listed.ts";
import { readSteps } from "../read_steps.ts";
import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** More undocumented codes than this add nothing. */
const MOST_UNCLASSIFIED = 2;

/** Lists that accuse the address of abuse, by families; two lists of one publisher are one voice. */
export const blocklists: Rule = {
  id: "blocklists",
  category: "lists",
  judge: (evidence) => {
    const { accusing, answered } = countLists(evidence);
    const unclassified = Math.min(countFamilies(evidence, "unclassified"), MOST_UNCLASSIFIED);
    const points =
      readSteps(WEIGHTS.blocklists.steps, countFamilies(evidence, "abuse")) +
      unclassified * WEIGHTS.blocklists.points;
    if (points === 0) return undefined;
    return { points, data: { lists: accusing.map((it) => it.label), listed: accusing.length, answered } };
  },
};

function countFamilies(evidence: Evidence, meaning: ListingMeaning): number {
  return new Set(findListed(evidence, meaning).map((listing) => listing.family)).size;
}
