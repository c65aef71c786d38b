/**
 * The lookup of an address: memory, then the store, then a survey of the sources, which gives the assessment. Clock,
 * network and database are arguments.
 *
 * Without a survey, `createTableClassifier(...)` judges by the tables at once: `classify(address)`, `classifyText(text)`.
 * The same evidence gives the same `TableFacts` object, so a writer may keep the text of its rows by this object.
 */

export type {
  Answer,
  FindKnown,
  FindKnownSync,
  Lookup,
  LookupRequest,
  LookupResult,
  SurveyEvent,
} from "./answer.ts";
export { assess } from "./assess.ts";
export { createLookup, type Lookups } from "./create_lookup.ts";
export { createMirrorLookup } from "./create_mirror_lookup.ts";
export { isConclusive, type SurveyOptions, surveyAddress } from "./survey_address.ts";
export * from "./table_classifier.ts";
