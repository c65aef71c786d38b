/**
 * What the sources said: one observation a source, and all of them merged into the evidence on an address.
 * Pure; no judgement and no weights.
 */
export { NAME_FAMILY } from "./collect_votes.ts";
export type {
  Coverage,
  Evidence,
  FlagEvidence,
  HeardAbuse,
  HeardListing,
  NativeEvidence,
  UsageEvidence,
} from "./evidence.ts";
export { AGEING_SHARE } from "./measure_coverage.ts";
export { mergeEvidence } from "./merge_evidence.ts";
export type {
  AbuseWord,
  Family,
  Infrastructure,
  Listing,
  ListingMeaning,
  Matter,
  Observation,
  ReverseName,
  SourceRun,
  Survey,
} from "./observation.ts";
export { parseSurvey } from "./parse_survey.ts";
