import type { Evidence } from "#evidence";
import type { Data, MethodVendor, RegionState, Regions, ScenarioId } from "#report";
import type { ReasonId } from "./ids.ts";
import { MAX_SCORES } from "./scenario_tables.ts";
import table from "./use_regions.json" with { type: "json" };

/**
 * The countries where one vendor offers its service. `unsupported` are certainly not on its published list. `unclear` are
 * omitted by one published list, but a newer list can contain them, so the status is unknown.
 */
type Vendor = Omit<MethodVendor, "use">;

/** The large services of each use that publish where they are offered. A use without an entry has none. */
export const USE_REGIONS: Readonly<Partial<Record<ScenarioId, readonly Vendor[]>>> = table;

/** A use is restricted only if more than one service says so. */
const LEAST_VENDORS = 2;

/** The effect of the country of an address on one use. `maxScore`: null = no vendor offers its service there. */
export interface RegionJudgement {
  readonly maxScore: number | null;
  readonly reason: { readonly id: ReasonId; readonly data: Data };
}

/**
 * Compares the country of use with the vendors' published lists. Undefined when all vendors offer their service there,
 * or the country is unknown. `restricted` needs that no source places the address where a vendor offers its service.
 */
export function judgeRegion(use: ScenarioId, { geo, countries }: Evidence): RegionJudgement | undefined {
  const vendors = USE_REGIONS[use] ?? [];
  const named = countries.length > 0 ? countries : geo?.country === undefined ? [] : [geo.country];
  const country = geo?.country ?? named[0];
  if (country === undefined) return undefined;
  const find = (list: "unsupported" | "unclear", code: string) =>
    vendors.filter((it) => it[list].includes(code));
  const nameAgainst = (code: string) => find("unsupported", code).map(({ name }) => name);
  const against = find("unsupported", country);
  const isNowhere = named.every((it) => find("unsupported", it).length === vendors.length);
  if (isNowhere && vendors.length >= LEAST_VENDORS)
    return { maxScore: null, reason: nameVendors("restricted", country, against) };
  if (new Set(named.map((it) => nameAgainst(it).join())).size > 1) {
    return {
      maxScore: MAX_SCORES.regionPartial,
      reason: { id: "region_uncertain", data: { countries: named, asOf: findDate(vendors) } },
    };
  }
  if (against.length > 0)
    return { maxScore: MAX_SCORES.regionPartial, reason: nameVendors("region_partial", country, against) };
  const unclear = find("unclear", country);
  if (unclear.length === 0) return undefined;
  return { maxScore: MAX_SCORES.regionUnclear, reason: nameVendors("region_unclear", country, unclear) };
}

function nameVendors(id: ReasonId, country: string, vendors: readonly Vendor[]): RegionJudgement["reason"] {
  return { id, data: { country, asOf: findDate(vendors), vendors: vendors.map(({ name }) => name) } };
}

/** The date of the oldest list. */
function findDate(vendors: readonly Vendor[]): string {
  return vendors.map(({ asOf }) => asOf).toSorted()[0] ?? "";
}

/** Lists the AI vendors with whether each offers its service where the address is. Undefined when the country is unknown. */
export function listRegions({ geo, countries }: Evidence): Regions | undefined {
  const named = countries.length > 0 ? countries : geo?.country === undefined ? [] : [geo.country];
  const vendors = USE_REGIONS.ai ?? [];
  if (named.length === 0) return undefined;
  return {
    asOf: findDate(vendors),
    vendors: Object.fromEntries(vendors.map((vendor) => [vendor.name, findState(vendor, named)])),
  };
}

function findState(vendor: Vendor, countries: readonly string[]): RegionState {
  if (countries.every((country) => vendor.unsupported.includes(country))) return "unsupported";
  const isDoubtful = (country: string) =>
    vendor.unsupported.includes(country) || vendor.unclear.includes(country);
  return countries.some(isDoubtful) ? "unclear" : "supported";
}
