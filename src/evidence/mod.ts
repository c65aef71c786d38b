/**
 * The observations of the sources, one for each source, and the evidence that is merged from them. Pure. It contains no
 * judgement and no weights.
 */
export {
  AS_ORIGINS,
  type AsClass,
  type AsKindVote,
  findAsClass,
  findSiblings,
  kindOfClass,
  NAME_FAMILY,
  readOrigin,
} from "./as_kinds.ts";
export { CARRIED_DAYS, carryForward } from "./carry.ts";
export {
  type Corrections,
  correctSurvey,
  indexCorrections,
  NO_CORRECTIONS,
  parseCorrections,
} from "./corrections.ts";
export type * from "./evidence.ts";
export { mergeEvidence } from "./merge_evidence.ts";
export { findOwnBlocks, listOwnBlocks } from "./network.ts";
export { findNetworkKind } from "./network_kind.ts";
export * from "./observation.ts";
export { AGEING_SHARE, shownState } from "./runs.ts";
