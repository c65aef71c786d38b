import { ElysiaCustomStatusResponse } from "elysia";
import { localizeProblem } from "#locale";
import { reportUrlOf } from "#render";
import {
  type Data,
  LANGUAGES,
  type Language,
  PROBLEM_STATUSES,
  type Problem,
  type ProblemCode,
} from "#report";
import type { VerificationSubject } from "#verification";
import type { Reports } from "./context.ts";

/** The facts of a problem, for its sentence and for the headers. */
export interface ProblemDetails {
  readonly data?: Data;
  readonly reportUrl?: string;
  readonly retryAfterMs?: number;
  readonly allow?: readonly string[];
  /** The verification that solves the problem; a page shows it. */
  readonly verification?: VerificationSubject;
  /** 413 for `too_large` of a body, which is otherwise 414; 403 for every problem of `/auth`. */
  readonly status?: 413 | 403;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is answered with an error. */
export class HttpProblem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(code);
    this.name = "HttpProblem";
    this.code = code;
    this.status = details.status ?? PROBLEM_STATUSES[code];
    this.details = details;
  }
}

/** The statuses of problems. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 413 | 414 | 429 | 500 | 503;

/** A problem as a handler returns it; the compiler checks that the route declares its status. */
export type Refusal<Status extends ErrorStatus> = {
  [One in Status]: ElysiaCustomStatusResponse<One, HttpProblem>;
}[Status];

/** Ends a request with an existing problem. */
export function refuseWith<const Status extends ErrorStatus>(problem: HttpProblem): Refusal<Status> {
  const response = new ElysiaCustomStatusResponse(problem.status, problem);
  return response as unknown as Refusal<Status>;
}

/** Ends a request with a problem. */
export function refuse<const Code extends ProblemCode>(
  code: Code,
  details: ProblemDetails = {},
): Refusal<(typeof PROBLEM_STATUSES)[Code]> {
  return refuseWith<(typeof PROBLEM_STATUSES)[Code]>(new HttpProblem(code, details));
}

/** Refuses to judge a visitor. Web servers in front of a site understand only 2xx, 401 and 403, so it is a 403. The header tells the problem apart from a denied visitor. */
export function refuseVisitor(code: "forbidden" | "invalid_parameter", data: Data): Refusal<403> {
  const parameter = typeof data.parameter === "string" ? ` ${data.parameter}` : "";
  const headers = { "x-ip-error": `${code}${parameter}` };
  return refuseWith(new HttpProblem(code, { data, headers, status: 403 }));
}

/**
 * The problem of a request that only the full service can answer. If the mirror knows the URL of that service, the
 * problem names the page of the address there, or the front page in the language of the request.
 */
export function mirrorNotFound(
  mirror: Reports["mirror"],
  language: Language,
  { reason, address }: { readonly reason?: "refresh" | "write"; readonly address?: string },
): HttpProblem {
  const origin = mirror?.primaryUrl;
  const data = reason === undefined ? {} : { reason };
  if (origin === undefined) return new HttpProblem("not_in_mirror", { data: { ...data, primary: false } });
  const reportUrl =
    address === undefined
      ? `${origin}${language === "en" ? "/en" : "/"}`
      : reportUrlOf(origin, address, language);
  return new HttpProblem("not_in_mirror", { data, reportUrl });
}

/** The error body in one language. If the language itself was invalid, it is in every language at once. */
export function describeProblem(problem: HttpProblem, language: Language): Problem {
  const { data, reportUrl, allow } = problem.details;
  const seconds = retryAfterSeconds(problem);
  const facts = {
    ...data,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    ...(allow === undefined ? {} : { allowed: allow }),
  };
  const texts = languagesOf(problem, language).map((one) => localizeProblem(problem.code, one, facts));
  return {
    error: texts.map(({ error }) => error).join(" "),
    code: problem.code,
    hint: texts.map(({ hint }) => hint).join(" "),
    ...(reportUrl === undefined ? {} : { reportUrl }),
  };
}

/** The languages of the text of a problem. */
export function languagesOf({ details }: HttpProblem, language: Language): readonly Language[] {
  return details.data?.parameter === "lang" ? LANGUAGES : [language];
}

/** Whole seconds to wait, at least 1; undefined when waiting does not help. */
export function retryAfterSeconds({ details }: HttpProblem): number | undefined {
  const { retryAfterMs } = details;
  return retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
}
