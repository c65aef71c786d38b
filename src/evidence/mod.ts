/**
 * The observations of the sources, one for each source, and the evidence that is merged from them. Pure. It contains no
 * judgement and no weights.
 */
export { CARRIED_DAYS, carryForward } from "./carry.ts";
export type {
  AbuseEvidence,
  CarriedEvidence,
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
