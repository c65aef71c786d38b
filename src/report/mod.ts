/**
 * The documents: their vocabularies, the language-free assessment, the public report, and the error body.
 * Pure; imports no other room.
 */
export * from "./assessment.ts";
export * from "./method.ts";
export * from "./problem.ts";
export * from "./report.ts";
export * from "./words.ts";
