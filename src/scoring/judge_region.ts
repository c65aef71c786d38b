import type { Evidence } from "#evidence";
import type { Data } from "#report";
import { AI_REGIONS, vendorsAgainst, vendorsUnclear } from "./ai_regions.ts";
import type { ReasonId } from "./ids.ts";
import { REGION_PARTIAL_MOST, REGION_UNCLEAR_MOST } from "./scenarios.ts";

/** What the place of an address means for AI services: the best score it may get; `null` = not offered at all. */
export interface RegionJudgement {
  readonly most: number | null;
  readonly reason: { readonly id: ReasonId; readonly data: Data };
}

/**
 * Reads the vendors' published lists for the country of use. Nothing to say = all vendors offer their service there,
 * or nobody knows the country. `restricted` only when no source places the address where a vendor offers its service.
 */
export function judgeRegion({ geo, countries }: Evidence): RegionJudgement | undefined {
  const { asOf } = AI_REGIONS;
  const named = countries.length > 0 ? countries : geo?.country === undefined ? [] : [geo.country];
  const country = geo?.country ?? named[0];
  if (country === undefined) return undefined;
  const everyone = AI_REGIONS.vendors.length;
  if (named.every((it) => vendorsAgainst(it).length === everyone)) {
    const vendors = vendorsAgainst(country);
    return { most: null, reason: { id: "restricted", data: { country, asOf, vendors } } };
  }
  const isDisputed = new Set(named.map((it) => vendorsAgainst(it).join())).size > 1;
  if (isDisputed) {
    return {
      most: REGION_PARTIAL_MOST,
      reason: { id: "region_uncertain", data: { countries: named, asOf } },
    };
  }
  const against = vendorsAgainst(country);
  if (against.length > 0) {
    return {
      most: REGION_PARTIAL_MOST,
      reason: { id: "region_partial", data: { country, asOf, vendors: against } },
    };
  }
  const unclear = vendorsUnclear(country);
  if (unclear.length === 0) return undefined;
  return {
    most: REGION_UNCLEAR_MOST,
    reason: { id: "region_unclear", data: { country, asOf, vendors: unclear } },
  };
}
