import { compareText } from "./compare_text.ts";
import type { HeardListing } from "./evidence.ts";
import { isHeard } from "./is_heard.ts";
import { isPlanned } from "./is_planned.ts";
import type { Family, Listing, ListingMeaning, SourceRun } from "./observation.ts";
import { sortedSet } from "./sorted_set.ts";

/** A list that lists without saying why. */
const NO_MEANING: readonly ListingMeaning[] = ["unclassified"];

/** One entry for every list that was meant to be asked, ordered by zone; an unheard one says so, never "not listed". */
export function mergeListings(runs: readonly SourceRun[]): readonly HeardListing[] {
  const zones = new Map<string, HeardListing>();
  const add = (listing: HeardListing) => {
    const known = zones.get(listing.zone);
    zones.set(listing.zone, known === undefined ? listing : join(known, listing));
  };
  for (const run of runs) {
    if (!isPlanned(run)) continue;
    const { zone, family } = run;
    let hasSpoken = false;
    const said = run.state === "answered" ? run.observation?.listings : undefined;
    if (said !== undefined) {
      for (const listing of said) {
        add(hearListing(listing, family));
        if (listing.zone === zone?.id) hasSpoken = true;
      }
    }
    if (zone === undefined || hasSpoken) continue;
    const { id, label } = zone;
    add({ zone: id, label, listed: false, codes: [], meanings: [], family, heard: isHeard(run) });
  }
  const listings = [...zones.values()];
  // A list's source has its name, and the runs are in order: mostly there is nothing to sort.
  return isInOrder(listings) ? listings : listings.sort((a, b) => compareText(a.zone, b.zone));
}

/** Field by field: there is one for every list in every survey, and copying objects is slow. */
function hearListing(listing: Listing, family: Family): HeardListing {
  const { zone, label, listed, codes, authoritative, subnet } = listing;
  const meanings = listed && listing.meanings.length === 0 ? NO_MEANING : listing.meanings;
  const heard = { zone, label, listed, codes, meanings, family, heard: true };
  if (authoritative === undefined && subnet === undefined) return heard;
  return {
    ...heard,
    ...(authoritative === undefined ? {} : { authoritative }),
    ...(subnet === undefined ? {} : { subnet }),
  };
}

function isInOrder(listings: readonly HeardListing[]): boolean {
  let before = "";
  for (const { zone } of listings) {
    if (zone < before) return false;
    before = zone;
  }
  return true;
}

/** Two runs about one list: what either heard stands, and "listed" stands before "not listed". */
function join(a: HeardListing, b: HeardListing): HeardListing {
  if (a.heard !== b.heard) return a.heard ? a : b;
  if (a.listed !== b.listed) return a.listed ? a : b;
  const { subnet, ...known } = a;
  return {
    ...known,
    ...(subnet === true && b.subnet === true ? { subnet } : {}),
    codes: [...new Set([...a.codes, ...b.codes])],
    meanings: sortedSet([...a.meanings, ...b.meanings]),
    ...(a.authoritative === true || b.authoritative === true ? { authoritative: true as const } : {}),
  };
}
