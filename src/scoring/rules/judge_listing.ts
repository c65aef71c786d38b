import type { Evidence, ListingMeaning } from "#evidence";
import { countVoices } from "../count_voices.ts";
import { findListed } from "../find_listed.ts";
import type { Finding } from "../rule.ts";
import { isSubnetShare, shareOf } from "../share_of.ts";
import type { Weight } from "../weights.ts";

/** Weighs a grave listing by the voices behind it ({@link shareOf}). Its floor stands only on full weight. */
export function judgeListing(
  evidence: Evidence,
  meaning: ListingMeaning,
  weight: Weight & { readonly points: number; readonly floor: number },
): Finding | undefined {
  const listings = findListed(evidence, meaning);
  if (listings.length === 0) return undefined;
  const voices = countVoices(listings);
  const share = shareOf(voices);
  return {
    points: weight.points * share,
    ...(share < 1 ? {} : { floor: weight.floor }),
    data: {
      lists: listings.map((listing) => listing.label),
      ...(voices.agreement === 1 ? { lone: true } : {}),
      ...(listings.some((listing) => listing.authoritative === true) ? { authoritative: true } : {}),
      ...(isSubnetShare(voices) ? { subnet: true } : {}),
    },
  };
}
