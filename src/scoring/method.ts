import { AGEING_SHARE, CARRIED_DAYS } from "#evidence";
import { type Method, type MethodAccuracy, type MethodSource, SCENARIOS } from "#report";
import ACCURACY from "./accuracy.json" with { type: "json" };
import { CONFIDENCE_THRESHOLDS, LISTS_ONE_IN } from "./confidence.ts";
import { RANGE_POINTS } from "./range_points.ts";
import { USE_REGIONS } from "./regions.ts";
import { RULES } from "./rules.ts";
import { CRITICAL_LISTING_COST, LEVEL_THRESHOLDS, MAX_SCORES, SCENARIO_TABLES } from "./scenario_tables.ts";
import { BAND_THRESHOLDS } from "./score.ts";
import { SCORING_VERSION, SCORING_VERSIONS } from "./versions.ts";
import {
  CARRIED_HALF_LIFE_DAYS,
  FORGOTTEN_DAYS,
  FURTHER_LIST,
  HALF_LIFE_DAYS,
  LONE_SHARE,
  SUBNET_SHARE,
  WEIGHTS,
} from "./weights.ts";

/**
 * Describes the method as plain data. It is made from the tables of the score, so the description cannot differ from
 * the score.
 */
export function describeMethod(sources: readonly MethodSource[]): Method {
  return {
    version: SCORING_VERSION,
    rules: RULES.map(({ id, category }) => ({ id, category, ...WEIGHTS[id] })),
    bands: BAND_THRESHOLDS,
    levels: LEVEL_THRESHOLDS,
    loneShare: LONE_SHARE,
    subnetShare: SUBNET_SHARE,
    halfLifeDays: HALF_LIFE_DAYS,
    forgottenDays: FORGOTTEN_DAYS,
    furtherList: FURTHER_LIST,
    carried: { halfLifeDays: CARRIED_HALF_LIFE_DAYS, days: CARRIED_DAYS },
    confidence: { ...CONFIDENCE_THRESHOLDS, listsOneIn: LISTS_ONE_IN, ageing: AGEING_SHARE },
    range: RANGE_POINTS.purity,
    scenarios: SCENARIOS.map((id) => ({ id, ...SCENARIO_TABLES[id] })),
    maxScores: MAX_SCORES,
    criticalListing: CRITICAL_LISTING_COST,
    regions: SCENARIOS.flatMap((use) => (USE_REGIONS[use] ?? []).map((vendor) => ({ use, ...vendor }))),
    accuracy: ACCURACY as MethodAccuracy,
    // Field by field, because a source has more fields than this document publishes.
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
