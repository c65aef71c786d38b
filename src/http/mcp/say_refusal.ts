import { toolTextsOf } from "#locale";
import type { Language, Problem } from "#report";
import type { HttpProblem } from "../http_problem.ts";
import { toProblem } from "../say_http_problem.ts";
import type { ToolResult } from "./tool.ts";

/** The error body, and how long to wait where waiting helps. */
export interface Refusal extends Problem {
  readonly retryAfterSeconds?: number;
}

/** What a problem tells a model. */
export function refusalOf(problem: HttpProblem, language: Language): Refusal {
  const { retryAfterMs } = problem.details;
  return {
    ...toProblem(problem, language),
    ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) }),
  };
}

/** A refusal as the result of a call: sentences for the model, and the same as JSON for programs. */
export function sayRefusal(refusal: Refusal, language: Language): ToolResult {
  const words = toolTextsOf(language);
  const { error, hint, code, reportUrl, retryAfterSeconds } = refusal;
  const lines = [
    error,
    hint,
    reportUrl === undefined ? undefined : words.openPage(reportUrl),
    retryAfterSeconds === undefined ? undefined : words.waitSeconds(retryAfterSeconds),
    words.notLookedUp,
    `code: ${code}`,
  ].filter((line) => line !== undefined);
  return {
    content: [
      { type: "text", text: `${lines.join("\n")}\n` },
      { type: "text", text: JSON.stringify(refusal) },
    ],
    isError: true,
  };
}
