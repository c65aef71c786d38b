import type { Evidence } from "#evidence";
import type { Data, RegionState, Regions } from "#report";
import type { ReasonId } from "./ids.ts";
import { MAX_SCORES } from "./scenario_tables.ts";

/** The countries where one vendor offers its AI service. */
export interface Vendor {
  readonly name: string;
  /** Countries (ISO 3166-1 alpha-2) that are certainly not on the vendor's published list. */
  readonly unsupported: ReadonlySet<string>;
  /** Countries that one published list omits but a newer list can contain, so the status is unknown. */
  readonly unclear: ReadonlySet<string>;
}

/**
 * The countries where AI services are not offered. A vendor publishes the countries it supports, so this means "not on
 * the published list on this date". Dependent territories have the value of their parent, except Hong Kong and Macao,
 * which every vendor lists separately. Parts of countries are not distinguished.
 * https://developers.openai.com/api/docs/supported-countries, https://www.anthropic.com/supported-countries,
 * https://ai.google.dev/gemini-api/docs/available-regions
 */
export const AI_REGIONS: { readonly asOf: string; readonly vendors: readonly Vendor[] } = {
  asOf: "2026-11-21",
  vendors: [
    { name: "OpenAI", unsupported: codes("BY CN CU HK IR KP MO RU SY VE"), unclear: codes("XK") },
    {
      name: "Anthropic",
      unsupported: codes("AF BY CN CU HK IR KP MO RU SY VE"),
      unclear: codes("LY ML MM NI SD SO SS XK YE"),
    },
    {
      name: "Gemini API",
      unsupported: codes("AF BY CN CU HK IR KP MM MO RU SY"),
      unclear: codes("MC MD SM VA"),
    },
  ],
};

/** The effect of the country of an address on AI services. `maxScore`: null = no vendor offers its service there. */
export interface RegionJudgement {
  readonly maxScore: number | null;
  readonly reason: { readonly id: ReasonId; readonly data: Data };
}

/**
 * Compares the country of use with the vendors' published lists. Undefined when all vendors offer their service there,
 * or the country is unknown. `restricted` needs that no source places the address where a vendor offers its service.
 */
export function judgeRegion({ geo, countries }: Evidence): RegionJudgement | undefined {
  const { asOf } = AI_REGIONS;
  const named = countries.length > 0 ? countries : geo?.country === undefined ? [] : [geo.country];
  const country = geo?.country ?? named[0];
  if (country === undefined) return undefined;
  const against = findVendors("unsupported", country);
  if (named.every((it) => findVendors("unsupported", it).length === AI_REGIONS.vendors.length))
    return { maxScore: null, reason: { id: "restricted", data: { country, asOf, vendors: against } } };
  const isDisputed = new Set(named.map((it) => findVendors("unsupported", it).join())).size > 1;
  if (isDisputed) {
    return {
      maxScore: MAX_SCORES.regionPartial,
      reason: { id: "region_uncertain", data: { countries: named, asOf } },
    };
  }
  if (against.length > 0) {
    return {
      maxScore: MAX_SCORES.regionPartial,
      reason: { id: "region_partial", data: { country, asOf, vendors: against } },
    };
  }
  const unclear = findVendors("unclear", country);
  if (unclear.length === 0) return undefined;
  return {
    maxScore: MAX_SCORES.regionUnclear,
    reason: { id: "region_unclear", data: { country, asOf, vendors: unclear } },
  };
}

/** Lists the vendors with whether each offers its service where the address is. Undefined when the country is unknown. */
export function listRegions({ geo, countries }: Evidence): Regions | undefined {
  const named = countries.length > 0 ? countries : geo?.country === undefined ? [] : [geo.country];
  if (named.length === 0) return undefined;
  return {
    asOf: AI_REGIONS.asOf,
    vendors: Object.fromEntries(AI_REGIONS.vendors.map((vendor) => [vendor.name, findState(vendor, named)])),
  };
}

function findState(vendor: Vendor, countries: readonly string[]): RegionState {
  if (countries.every((country) => vendor.unsupported.has(country))) return "unsupported";
  const isSupported = (country: string) => !vendor.unsupported.has(country) && !vendor.unclear.has(country);
  return countries.every(isSupported) ? "supported" : "unclear";
}

/** Returns the names of the vendors that have the country in one of their two lists. */
function findVendors(list: "unsupported" | "unclear", country: string): readonly string[] {
  return AI_REGIONS.vendors.filter((vendor) => vendor[list].has(country)).map((vendor) => vendor.name);
}

function codes(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
