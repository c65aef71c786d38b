import type { CountryClaim, NativeReason, Place, Registry } from "#report";
import type { NativeEvidence } from "./evidence.ts";
import { joinFirst } from "./network.ts";
import type { Answer } from "./runs.ts";

/**
 * Joins the data of registries, RDAP first. Other sources fill gaps only where they do not name another registry: RDAP
 * of ARIN has no country, and data on a block of one registry does not apply to a block of another.
 */
export function mergeRegistry(answers: readonly Answer[]): {
  readonly registry?: Registry;
  readonly registered?: string;
} {
  const records = answers
    .filter(({ observation }) => observation.registry !== undefined)
    .toSorted((a, b) => rankRegistry(a) - rankRegistry(b))
    .flatMap(({ observation }) => observation.registry ?? []);
  if (records.length === 0) return {};
  const rir = records.find((record) => record.rir !== undefined)?.rir;
  const same = records.filter((record) => record.rir === undefined || record.rir === rir);
  const registered = same
    .map((record) => readCountry(record.country))
    .find((country) => country !== undefined);
  return { registry: joinFirst(same), ...(registered === undefined ? {} : { registered }) };
}

function rankRegistry({ run }: Answer): number {
  return run.id === "rdap" ? 0 : 1;
}

/** Where the address is used, and which sources name which country when they disagree. */
export interface PlaceEvidence {
  readonly geo?: Place;
  /** Two countries or more are named by equally many families, and none of them is the country of registration. */
  readonly isTied: boolean;
  readonly countries: readonly string[];
  readonly claims: readonly CountryClaim[];
}

interface Support {
  readonly country: string;
  readonly families: number;
  readonly isRegistered: boolean;
  readonly sources: readonly string[];
}

/**
 * Finds the country of use by majority of families. In a tie the country of registration wins, then the one that more
 * sources name, then the first by code. Region, city and time zone come only from sources that name that country.
 */
export function mergePlace(answers: readonly Answer[], registered: string | undefined): PlaceEvidence {
  const places = answers.flatMap(({ run, observation: { geo } }) => {
    const country = readCountry(geo?.country);
    return geo === undefined || country === undefined ? [] : [{ run, geo, country }];
  });
  const families = new Map<string, string>();
  for (const { run, country } of places) if (!families.has(run.family)) families.set(run.family, country);
  const named = [...new Set(families.values())].sort();
  const votes = [...families.values()];
  const ranked = named
    .map(
      (country): Support => ({
        country,
        families: votes.filter((vote) => vote === country).length,
        isRegistered: country === registered,
        sources: places.filter((place) => place.country === country).map(({ run }) => run.name),
      }),
    )
    .sort(compareSupport);
  const [first, second] = ranked;
  if (first === undefined) return { isTied: false, countries: [], claims: [] };
  const { country } = first;
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
    isTied: second?.families === first.families && !first.isRegistered,
    countries: second === undefined ? [] : named,
    claims:
      second === undefined ? [] : ranked.map(({ country, sources }) => ({ country, sources: [...sources] })),
  };
}

/** Orders the best supported country first. Countries with the same support keep their order by code. */
function compareSupport(a: Support, b: Support): number {
  return (
    b.families - a.families ||
    Number(b.isRegistered) - Number(a.isRegistered) ||
    b.sources.length - a.sources.length
  );
}

/** Region and city come from one source: the city of one and the region of another can be far apart. */
function countDetails(geo: Place): number {
  return (geo.city === undefined ? 0 : 2) + (geo.region === undefined ? 0 : 1);
}

/** What decides beside the two countries. */
export interface NativeInputs {
  readonly registered: string | undefined;
  readonly place: PlaceEvidence;
  /** Why the address has no country of use: special-purpose space, a public service, or anycast. */
  readonly placeless: NativeReason | undefined;
}

/** Compares the country of registration with the country of use, and says why they cannot be compared. */
export function compareCountries({ registered, place, placeless }: NativeInputs): NativeEvidence {
  const located = place.geo?.country;
  const known = {
    ...(registered === undefined ? {} : { registered }),
    ...(located === undefined ? {} : { located }),
  };
  if (placeless !== undefined) return { type: "unknown", reason: placeless, ...known };
  if (registered === undefined) return { type: "unknown", reason: "not_registered", ...known };
  if (located === undefined) return { type: "unknown", reason: "not_located", ...known };
  if (place.isTied) return { type: "unknown", reason: "disputed", ...known };
  return { type: registered === located ? "native" : "broadcast", ...known };
}

/**
 * Codes that name no country: EU and AP of registry files, and the user-assigned codes of ISO 3166-1
 * (https://www.iso.org/glossary-for-iso-3166.html) except XK, which is used for Kosovo.
 */
const NO_COUNTRY = /^(?:EU|AP|AA|Q[M-Z]|X[A-JL-Z]|ZZ)$/;

/** Returns an ISO 3166-1 alpha-2 code in upper case, or undefined for a text that names no country. */
function readCountry(code: string | undefined): string | undefined {
  const upper = code?.toUpperCase();
  return upper !== undefined && /^[A-Z]{2}$/.test(upper) && !NO_COUNTRY.test(upper) ? upper : undefined;
}
