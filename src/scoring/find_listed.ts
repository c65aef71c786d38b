import type { Evidence, ListingEvidence, ListingMeaning } from "#evidence";

/** Listings of one meaning among those heard. */
export function findListed({ listings }: Evidence, meaning: ListingMeaning): readonly ListingEvidence[] {
  return listings.filter(
    (listing) => listing.answered && listing.listed && listing.meanings.includes(meaning),
  );
}
