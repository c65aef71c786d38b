/**
 * The score of the evidence: rules, weights, purity, band, confidence, verdict and use cases. Pure. All numbers are in
 * `weights.ts`, `scenario_tables.ts`, `confidence.ts` and `regions.ts`. All sentences are in `#locale`.
 */
export { type JudgedRow, measureAccuracy, shareOf, TRUTH_WORDS } from "./accuracy.ts";
export { CONFIDENCE_THRESHOLDS, findMissingPart, findRangeKind } from "./confidence.ts";
export * from "./ids.ts";
export { describeMethod } from "./method.ts";
export { RANGE_KINDS, RANGE_POINTS, type RangeKind, type RangePoints } from "./range_points.ts";
export { USE_REGIONS } from "./regions.ts";
export { computePurity } from "./rule.ts";
export { RULES } from "./rules.ts";
export * from "./scenario_tables.ts";
export * from "./score.ts";
export * from "./versions.ts";
export { isAccusing, isBenign } from "./weighing.ts";
export * from "./weights.ts";
