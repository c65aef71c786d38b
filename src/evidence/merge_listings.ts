import { compareText } from "./compare_text.ts";
import type { HeardListing } from "./evidence.ts";
import { isHeard } from "./is_heard.ts";
import { isPlanned } from "./is_planned.ts";
import type { ListingMeaning, SourceRun } from "./observation.ts";
import { sortedSet } from "./sorted_set.ts";

/** A list that lists without saying why. */
const NO_MEANING: readonly ListingMeaning[] = ["unclassified"];

/** One entry for every list that was meant to be asked, ordered by zone; an unheard one says so, never "not listed". */
export function mergeListings(runs: readonly SourceRun[]): readonly HeardListing[] {
  const zones = new Map<string, HeardListing>();
  for (const listing of runs.filter(isPlanned).flatMap(readListings)) {
    const known = zones.get(listing.zone);
    zones.set(listing.zone, known === undefined ? listing : join(known, listing));
  }
  return [...zones.values()].sort((a, b) => compareText(a.zone, b.zone));
}

function readListings(run: SourceRun): readonly HeardListing[] {
  const said = run.state === "answered" ? (run.observation?.listings ?? []) : [];
  const listings = said.map((listing) => ({
    ...listing,
    meanings: listing.listed && listing.meanings.length === 0 ? NO_MEANING : listing.meanings,
    family: run.family,
    heard: true,
  }));
  const { zone } = run;
  if (zone === undefined || listings.some((listing) => listing.zone === zone.id)) return listings;
  const silent = { zone: zone.id, label: zone.label, listed: false, codes: [], meanings: [] };
  return [...listings, { ...silent, family: run.family, heard: isHeard(run) }];
}

/** Two runs about one list: what either heard stands, and "listed" stands before "not listed". */
function join(a: HeardListing, b: HeardListing): HeardListing {
  if (a.heard !== b.heard) return a.heard ? a : b;
  if (a.listed !== b.listed) return a.listed ? a : b;
  return {
    ...a,
    codes: [...new Set([...a.codes, ...b.codes])],
    meanings: sortedSet([...a.meanings, ...b.meanings]),
    ...(a.authoritative === true || b.authoritative === true ? { authoritative: true as const } : {}),
  };
}
