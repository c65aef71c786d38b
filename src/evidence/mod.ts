/**
 * What the sources said: one observation for each source, and the evidence on an address that all of them make.
 * Pure. It contains no judgement and no weights.
 */
export type {
  AbuseEvidence,
  Coverage,
  Evidence,
  FlagEvidence,
  ListingEvidence,
  NativeEvidence,
  UsageEvidence,
} from "./evidence.ts";
export { mergeEvidence } from "./merge_evidence.ts";
export type {
  AbuseRecord,
  EvidenceCategory,
  Family,
  Infrastructure,
  Listing,
  ListingMeaning,
  Observation,
  ReverseName,
  SourceRun,
  Survey,
} from "./observation.ts";
export { parseSurvey } from "./parse_survey.ts";
export { AGEING_SHARE } from "./runs.ts";
export { NAME_FAMILY } from "./usage.ts";
