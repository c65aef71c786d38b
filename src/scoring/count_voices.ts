import type { ListingEvidence } from "#evidence";
import type { Voices } from "./share_of.ts";

/** Voices behind listings: publishers, not lists; one authority among them counts as two. */
export function countVoices(listings: readonly ListingEvidence[]): Voices {
  return {
    agreement: countFamilies(listings),
    exact: countFamilies(listings.filter((listing) => listing.subnet !== true)),
  };
}

function countFamilies(listings: readonly ListingEvidence[]): number {
  const isAuthority = listings.some((listing) => listing.authoritative === true);
  return new Set(listings.map((listing) => listing.family)).size + (isAuthority ? 1 : 0);
}
