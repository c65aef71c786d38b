import type { ListingEvidence } from "#evidence";
import { countLists } from "../count_lists.ts";
import { readSteps } from "../read_steps.ts";
import type { Rule } from "../rule.ts";
import { SUBNET_SHARE, WEIGHTS } from "../weights.ts";

/** More undocumented codes than this add nothing. */
const MOST_UNCLASSIFIED = 2;

/**
 * Lists that accuse the address of abuse, by families: two lists of one publisher are one voice, and the first
 * step is what a lone voice is worth. Listings of the IPv6 /64 only count by {@link SUBNET_SHARE}.
 */
export const blocklists: Rule = {
  id: "blocklists",
  category: "lists",
  judge: (evidence) => {
    const { accusing, answered } = countLists(evidence);
    if (accusing.length === 0) return undefined;
    const near = accusing.filter((listing) => listing.subnet === true).map((listing) => listing.label);
    const all = weigh(accusing);
    const exact = near.length === 0 ? all : weigh(accusing.filter((listing) => listing.subnet !== true));
    const points = Math.max(exact, all * SUBNET_SHARE);
    if (points === 0) return undefined;
    return {
      points,
      data: {
        lists: accusing.map((listing) => listing.label),
        listed: accusing.length,
        answered,
        ...(near.length === 0 ? {} : { near }),
      },
    };
  },
};

function weigh(accusing: readonly ListingEvidence[]): number {
  const families = (meaning: "abuse" | "unclassified") =>
    new Set(accusing.filter(({ meanings }) => meanings.includes(meaning)).map(({ family }) => family)).size;
  const undocumented = Math.min(families("unclassified"), MOST_UNCLASSIFIED) * WEIGHTS.blocklists.points;
  return readSteps(WEIGHTS.blocklists.steps, families("abuse")) + undocumented;
}
