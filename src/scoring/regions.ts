import type { Evidence } from "#evidence";
import type { Data, RegionState, Regions } from "#report";
import table from "./ai_regions.json" with { type: "json" };
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

/** The countries where AI services are not offered, from the lists that the vendors publish. */
export const AI_REGIONS: { readonly asOf: string; readonly vendors: readonly Vendor[] } = {
  asOf: table.asOf,
  vendors: table.vendors.map(({ name, unsupported, unclear }) => {
    return { name, unsupported: new Set(unsupported), unclear: new Set(unclear) };
  }),
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
