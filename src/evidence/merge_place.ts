import type { Place } from "#report";
import type { Heard } from "./heard.ts";
import { readCountry } from "./read_country.ts";
import { sortedSet } from "./sorted_set.ts";

/** Where the address is used, and what the families name when they disagree. */
export interface PlaceEvidence {
  readonly geo?: Place;
  readonly countries: readonly string[];
}

/**
 * Settles the country by majority of families; in a tie the country of registration wins if it is among the
 * tied, else nobody does. Region, city and time zone come only from sources that name that country.
 */
export function mergePlace(heard: readonly Heard[], registered: string | undefined): PlaceEvidence {
  const places = heard.flatMap(({ run, said }) => {
    const country = readCountry(said.geo?.country);
    return said.geo === undefined || country === undefined ? [] : [{ run, geo: said.geo, country }];
  });
  const families = new Map<string, string>();
  for (const { run, country } of places) if (!families.has(run.family)) families.set(run.family, country);
  const named = sortedSet(families.values());
  const countries = named.length > 1 ? named : [];
  const country = findCountry([...families.values()], named, registered);
  if (country === undefined) return { countries };
  const agreeing = places
    .filter((place) => place.country === country)
    .map((place) => place.geo)
    .toSorted((a, b) => countDetails(b) - countDetails(a));
  const best = agreeing[0];
  const timezone = agreeing.find((geo) => geo.timezone !== undefined)?.timezone;
  return {
    geo: {
      country,
      ...(best?.region === undefined ? {} : { region: best.region }),
      ...(best?.city === undefined ? {} : { city: best.city }),
      ...(timezone === undefined ? {} : { timezone }),
    },
    countries,
  };
}

function findCountry(
  votes: readonly string[],
  named: readonly string[],
  registered: string | undefined,
): string | undefined {
  const counted = named.map((country) => ({
    country,
    votes: votes.filter((vote) => vote === country).length,
  }));
  const most = Math.max(0, ...counted.map((row) => row.votes));
  const top = counted.filter((row) => row.votes === most).map((row) => row.country);
  return top.length === 1 ? top[0] : top.find((country) => country === registered);
}

/** Region and city come from one source: a city of one and a region of another may be far apart. */
function countDetails(geo: Place): number {
  return (geo.city === undefined ? 0 : 2) + (geo.region === undefined ? 0 : 1);
}
