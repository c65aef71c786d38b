import * as v from "valibot";

/** Every code an error body may carry. */
export const PROBLEM_CODES = [
  "invalid_ip",
  "invalid_parameter",
  "unauthorized",
  "verification_required",
  "not_found",
  "not_in_mirror",
  "method_not_allowed",
  "too_large",
  "rate_limited",
  "open_rate_limited",
  "internal",
  "overloaded",
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** The body of every error response. */
export const ProblemSchema = v.pipe(
  v.object({
    error: v.pipe(v.string(), v.description("What went wrong, in one sentence.")),
    code: v.pipe(v.picklist(PROBLEM_CODES), v.description("Stable name of the condition, for programs.")),
    hint: v.exactOptional(v.pipe(v.string(), v.description("What to do about it."))),
    reportUrl: v.exactOptional(
      v.pipe(v.string(), v.url(), v.description("The page that can help a person further.")),
    ),
  }),
  v.title("Error"),
);
export type Problem = v.InferOutput<typeof ProblemSchema>;
