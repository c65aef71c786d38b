import { AGEING_SHARE } from "#evidence";
import { type Method, type MethodSource, SCENARIOS } from "#report";
import { AI_REGIONS } from "./ai_regions.ts";
import { BAND_CUTS } from "./band_of.ts";
import { SCORING_VERSIONS } from "./changes.ts";
import { CONFIDENCE_CUTS } from "./confidence_of.ts";
import { LISTS_SHARE } from "./is_heard_on.ts";
import { RULES } from "./rules.ts";
import {
  GRAVE_COST,
  HALF_HEARD_MOST,
  LEVEL_CUTS,
  REGION_PARTIAL_MOST,
  REGION_UNCLEAR_MOST,
  SCENARIO_TABLES,
  UNHEARD_MOST,
} from "./scenarios.ts";
import {
  FORGOTTEN_DAYS,
  HALF_LIFE_DAYS,
  LONE_SHARE,
  SCORING_VERSION,
  SUBNET_SHARE,
  WEIGHTS,
} from "./weights.ts";

/** The method as plain data, made of the very tables that score, so that what is published cannot drift from them. */
export function describeMethod(sources: readonly MethodSource[]): Method {
  return {
    version: SCORING_VERSION,
    rules: RULES.map(({ id, category }) => ({ id, category, ...WEIGHTS[id] })),
    bands: BAND_CUTS,
    levels: LEVEL_CUTS,
    loneShare: LONE_SHARE,
    subnetShare: SUBNET_SHARE,
    halfLifeDays: HALF_LIFE_DAYS,
    forgottenDays: FORGOTTEN_DAYS,
    confidence: { ...CONFIDENCE_CUTS, listsOneIn: LISTS_SHARE, ageing: AGEING_SHARE },
    scenarios: SCENARIOS.map((id) => ({ id, ...SCENARIO_TABLES[id] })),
    bounds: {
      unheard: UNHEARD_MOST,
      halfHeard: HALF_HEARD_MOST,
      regionPartial: REGION_PARTIAL_MOST,
      regionUnclear: REGION_UNCLEAR_MOST,
      grave: GRAVE_COST,
    },
    regions: {
      asOf: AI_REGIONS.asOf,
      vendors: AI_REGIONS.vendors.map(({ name, unsupported, unclear }) => ({
        name,
        unsupported: [...unsupported],
        unclear: [...unclear],
      })),
    },
    // Named field by field: whoever calls may hold more than is to be published.
    sources: sources.map(({ name, family, kind, matters, weight }) => ({
      name,
      family,
      kind,
      matters: [...matters],
      weight,
    })),
    versions: SCORING_VERSIONS,
  };
}
