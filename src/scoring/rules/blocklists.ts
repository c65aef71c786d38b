import type { ListingEvidence } from "#evidence";
import { LISTED_EXITS } from "#report";
import { type Rule, readBetweenSteps } from "../rule.ts";
import { countLists, countVoices, isAccusing } from "../weighing.ts";
import { SUBNET_SHARE, WEIGHTS } from "../weights.ts";

/**
 * Lists that accuse the address of abuse, counted as voices: further lists of one publisher count less. The first step
 * is the weight of one voice alone. Listings of the /64 of an IPv6 address count for {@link SUBNET_SHARE}.
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
    if (all === 0) return undefined;
    const points = Math.max(exact, all * SUBNET_SHARE, WEIGHTS.blocklists.least);
    const elsewhere = evidence.listings.filter(
      (listing) => listing.answered && listing.listed && !isAccusing(listing) && isExit(listing),
    );
    return {
      points,
      data: {
        lists: accusing.map((listing) => listing.label),
        listed: accusing.length,
        answered,
        ...(near.length === 0 ? {} : { near }),
        ...(elsewhere.length === 0 ? {} : { elsewhere: elsewhere.map((listing) => listing.label) }),
      },
    };
  },
};

/** Reports whether a list names the address as an exit. Such a listing counts in the factor of the exit. */
function isExit({ meanings }: ListingEvidence): boolean {
  return LISTED_EXITS.some((exit) => meanings.includes(exit));
}

function weigh(accusing: readonly ListingEvidence[]): number {
  return readBetweenSteps(WEIGHTS.blocklists.steps, countVoices(accusing));
}
