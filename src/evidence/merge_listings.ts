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
  const add = (listing: HeardListing) => {
    const known = zones.get(listing.zone);
    zones.set(listing.zone, known === undefined ? listing : join(known, listing));
  };
  for (const run of runs) {
    if (!isPlanned(run)) continue;
    const { zone, family } = run;
    const said = run.state === "answered" ? (run.observation?.listings ?? []) : [];
    for (const listing of said) {
      const hasNoMeaning = listing.listed && listing.meanings.length === 0;
      add({ ...listing, meanings: hasNoMeaning ? NO_MEANING : listing.meanings, family, heard: true });
    }
    if (zone === undefined || said.some((listing) => listing.zone === zone.id)) continue;
    const { id, label } = zone;
    add({ zone: id, label, listed: false, codes: [], meanings: [], family, heard: isHeard(run) });
  }
  return [...zones.values()].sort((a, b) => compareText(a.zone, b.zone));
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
