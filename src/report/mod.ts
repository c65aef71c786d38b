/**
 * The documents: the assessment without language, the public report, the error body, the method, their vocabularies,
 * and the policy by which an operator lets visitors in.
 * Pure. It imports no other module.
 */
export * from "./assessment.ts";
export * from "./facts.ts";
export * from "./method.ts";
export * from "./network_summary.ts";
export * from "./records.ts";
export * from "./report.ts";
export * from "./visitor_policy.ts";
export * from "./vocabulary.ts";
