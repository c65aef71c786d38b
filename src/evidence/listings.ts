import type { ListingEvidence } from "./evidence.ts";
import type { Family, Listing, ListingMeaning, SourceRun } from "./observation.ts";
import { isAnswered, isExpected } from "./runs.ts";

/** Stands for the missing meaning of a listing without a code. */
const UNCLASSIFIED: readonly ListingMeaning[] = ["unclassified"];

/**
 * Returns one entry for every list that was expected to answer, ordered by zone. A list that did not answer has
 * `answered: false`; it never appears as "not listed". `runs` are sorted.
 */
export function mergeListings(runs: readonly SourceRun[]): readonly ListingEvidence[] {
  const zones = new Map<string, ListingEvidence>();
  const add = (listing: ListingEvidence) => {
    const known = zones.get(listing.zone);
    zones.set(listing.zone, known === undefined ? listing : joinListings(known, listing));
  };
  for (const run of runs) {
    if (!isExpected(run)) continue;
    const { zone, family } = run;
    const reported = run.state === "answered" ? run.observation?.listings : undefined;
    if (reported !== undefined) for (const listing of reported) add(readListing(listing, family));
    if (zone === undefined || reported?.some((listing) => listing.zone === zone.id) === true) continue;
    const { id, label } = zone;
    add({ zone: id, label, listed: false, codes: [], meanings: [], family, answered: isAnswered(run) });
  }
  const listings = [...zones.values()];
  // The id of a list's source is usually its zone, and the runs are sorted: usually nothing is left to sort.
  return isSorted(listings) ? listings : listings.sort((a, b) => (a.zone < b.zone ? -1 : 1));
}

/** Copies field by field: every survey has an entry for every list, and spreading objects is slow. */
function readListing(listing: Listing, family: Family): ListingEvidence {
  const { zone, label, listed, codes, voices, authoritative, subnet } = listing;
  const meanings = listed && listing.meanings.length === 0 ? UNCLASSIFIED : listing.meanings;
  const read = { zone, label, listed, codes, meanings, family, answered: true };
  if (voices === undefined && authoritative === undefined && subnet === undefined) return read;
  return {
    ...read,
    ...(voices === undefined ? {} : { voices }),
    ...(authoritative === undefined ? {} : { authoritative }),
    ...(subnet === undefined ? {} : { subnet }),
  };
}

function isSorted(listings: readonly ListingEvidence[]): boolean {
  let before = "";
  for (const { zone } of listings) {
    if (zone < before) return false;
    before = zone;
  }
  return true;
}

/** Joins two runs about one list: an answer replaces no answer, and "listed" replaces "not listed". */
function joinListings(a: ListingEvidence, b: ListingEvidence): ListingEvidence {
  if (a.answered !== b.answered) return a.answered ? a : b;
  if (a.listed !== b.listed) return a.listed ? a : b;
  const { subnet, ...rest } = a;
  return {
    ...rest,
    ...(subnet === true && b.subnet === true ? { subnet } : {}),
    codes: [...new Set([...a.codes, ...b.codes])],
    meanings: [...new Set([...a.meanings, ...b.meanings])].sort(),
    ...(a.voices === undefined && b.voices === undefined
      ? {}
      : { voices: Math.max(a.voices ?? 1, b.voices ?? 1) }),
    ...(a.authoritative === true || b.authoritative === true ? { authoritative: true as const } : {}),
  };
}
