/**
 * The documents: the assessment without language, the public report, the error body, the method, and their vocabularies.
 * Pure. It imports no other module.
 */
export * from "./assessment.ts";
export * from "./method.ts";
export * from "./report.ts";
export * from "./vocabulary.ts";
