import type { Evidence, EvidenceCategory } from "#evidence";

/** Of the lists meant to be asked, one in so many must be heard before lists count as heard. */
export const LISTS_SHARE = 3;

/**
 * Whether enough was heard on a matter to speak about it. For lists that is a third of those meant to be asked:
 * "on no list" out of the mouth of one small list would be a false comfort.
 */
export function isHeardOn({ coverage, listings }: Evidence, matter: EvidenceCategory): boolean {
  if (!coverage.answeredCategories.includes(matter)) return false;
  if (matter !== "lists") return true;
  let heard = 0;
  for (const listing of listings) if (listing.answered) heard += 1;
  return heard > 0 && heard * LISTS_SHARE >= listings.length;
}
