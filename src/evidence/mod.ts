/**
 * The observations of the sources, one for each source, and the evidence that is merged from them. Pure. It contains no
 * judgement and no weights.
 */

export { type AsClass, findAsClass, findSiblings } from "./as_classes.ts";
export { AS_KINDS, type AsKind } from "./as_kinds.ts";
export { AS_ORIGINS, type AsKindVote, type AsOrigin, NAME_FAMILY, readOrigin } from "./as_origins.ts";
export { CARRIED_DAYS, carryForward } from "./carry.ts";
export {
  type Correction,
  type Corrections,
  correctSurvey,
  indexCorrections,
  NO_CORRECTIONS,
  parseCorrections,
} from "./corrections.ts";
export type * from "./evidence.ts";
export { mergeEvidence } from "./merge_evidence.ts";
export { type AsKindEvidence, findNetworkKind, type NetworkKind } from "./network_kind.ts";
export {
  type AbuseRecord,
  type EvidenceCategory,
  type Family,
  type Infrastructure,
  LISTING_MEANINGS,
  type Listing,
  type ListingMeaning,
  type Observation,
  parseSurvey,
  type ReverseName,
  type SourceRun,
  type Survey,
} from "./observation.ts";
export { findOwnBlocks, listOwnBlocks } from "./own_blocks.ts";
export { AGEING_SHARE } from "./runs.ts";
