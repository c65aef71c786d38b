import type { Evidence, ListingMeaning } from "#evidence";
import { findListed } from "../find_listed.ts";
import type { Finding } from "../rule.ts";
import { LONE_SHARE, type Weight } from "../weights.ts";

/** Weighs a grave listing: in full on two families or an authority, by {@link LONE_SHARE} and without its floor on one. */
export function judgeListing(
  evidence: Evidence,
  meaning: ListingMeaning,
  weight: Weight & { readonly points: number; readonly floor: number },
): Finding | undefined {
  const listings = findListed(evidence, meaning);
  if (listings.length === 0) return undefined;
  const families = new Set(listings.map((listing) => listing.family));
  const isLone = families.size < 2 && !listings.some((listing) => listing.authoritative === true);
  return {
    points: weight.points * (isLone ? LONE_SHARE : 1),
    ...(isLone ? {} : { floor: weight.floor }),
    data: { lists: listings.map((listing) => listing.label) },
  };
}
