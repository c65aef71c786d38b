import { ProblemSchema, ReportSchema } from "#report";
import {
  ComparisonSchema,
  FeedbackBodySchema,
  FeedbackSchema,
  HealthSchema,
  HistorySchema,
  MyIpSchema,
  ReadinessSchema,
  VerifiedSchema,
  VerifyBodySchema,
} from "./contract.ts";

/** Documents that bodies refer to by name. */
export const DOCUMENTS = {
  Report: ReportSchema,
  Error: ProblemSchema,
  MyIp: MyIpSchema,
  Health: HealthSchema,
  Readiness: ReadinessSchema,
  Solution: VerifyBodySchema,
  Verified: VerifiedSchema,
  Rating: FeedbackBodySchema,
  Feedback: FeedbackSchema,
  History: HistorySchema,
  Comparison: ComparisonSchema,
} as const;

/** One of them. */
export type DocumentName = keyof typeof DOCUMENTS;
