import type { Evidence, ListingEvidence, ListingMeaning } from "#evidence";

/** Meanings for which a list accuses the address itself, plus codes that a list does not explain. */
const ACCUSING: ReadonlySet<ListingMeaning> = new Set(["abuse", "severe", "botnet", "unclassified"]);

/** Lists that accuse the address, and how many lists were heard at all. */
export interface ListCount {
  readonly accusing: readonly ListingEvidence[];
  readonly answered: number;
}

/** Counts lists. Declarations of end-user space and mere records accuse nobody; kinds of exit are flags. */
export function countLists({ listings }: Evidence): ListCount {
  const accusing: ListingEvidence[] = [];
  let answered = 0;
  for (const listing of listings) {
    if (!listing.answered) continue;
    answered += 1;
    if (listing.listed && listing.meanings.some((it) => ACCUSING.has(it))) accusing.push(listing);
  }
  return { accusing, answered };
}
