import type { Evidence, HeardListing, ListingMeaning } from "#evidence";

/** Listings of one meaning among those heard. */
export function findListed({ listings }: Evidence, meaning: ListingMeaning): readonly HeardListing[] {
  return listings.filter((listing) => listing.heard && listing.listed && listing.meanings.includes(meaning));
}
