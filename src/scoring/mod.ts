/**
 * What the evidence means: rules, weights, purity, band, confidence, verdict and the six uses.
 * Pure; every number stands in `weights.ts`, `scenarios.ts` and `ai_regions.ts`, every sentence in `#locale`.
 */
export { AI_REGIONS, type Vendor } from "./ai_regions.ts";
export { BAND_CUTS, bandOf } from "./band_of.ts";
export { CHANGE_IDS, type ChangeId, SCORING_VERSIONS, type ScoringVersion } from "./changes.ts";
export { CONFIDENCE_CUTS } from "./confidence_of.ts";
export { describeMethod } from "./describe_method.ts";
export * from "./ids.ts";
export { purityOf } from "./purity_of.ts";
export type { Rule } from "./rule.ts";
export { RULES } from "./rules.ts";
export { GRAVE_COST, LEVEL_CUTS, SCENARIO_TABLES, type ScenarioTable } from "./scenarios.ts";
export { type Judgement, judge, type Score, score } from "./score.ts";
export {
  FORGOTTEN_DAYS,
  HALF_LIFE_DAYS,
  LONE_SHARE,
  SCORING_VERSION,
  type Step,
  SUBNET_SHARE,
  WEIGHTS,
  type Weight,
} from "./weights.ts";
