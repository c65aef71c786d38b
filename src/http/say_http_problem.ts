import { localizeProblem } from "#locale";
import { renderCheckPage, renderProblemPage } from "#render";
import type { Language, Problem } from "#report";
import { createBody } from "./body.ts";
import { bothPathsOf } from "./both_paths_of.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import type { HttpProblem } from "./http_problem.ts";
import { pageReply } from "./page_reply.ts";
import { checkPolicyOf } from "./policy.ts";
import { createReply, type Reply } from "./reply.ts";
import { reportPathOf } from "./report_url.ts";

/** How to come back with the token of the metrics, the only one there is (RFC 6750, 3). */
const BEARER = 'Bearer realm="metrics"';

type Manner = Pick<Exchange, "language" | "shape" | "shared" | "path" | "query">;

/**
 * Says a problem in the language and shape of the request; on a page, one that a human check solves is the page with
 * the check. `Retry-After` is in whole seconds, at least 1.
 */
export function sayHttpProblem(
  deps: Pick<HttpDeps, "verification">,
  problem: HttpProblem,
  manner: Manner,
): Reply {
  const { language, shape, shared } = manner;
  const { allow } = problem.details;
  const { status } = problem;
  const retryAfter = retryAfterOf(problem);
  const headers = {
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    ...(allow === undefined ? {} : { allow: allow.join(", ") }),
    ...(status === 401 ? { "www-authenticate": BEARER } : {}),
  };
  const said = toProblem(problem, language);
  const parts = { status, keeping: "no-store", headers } as const;
  switch (shape) {
    case "page":
      return sayOnPage(deps, problem, said, { manner, parts });
    case "json":
      return createReply({
        ...parts,
        shared,
        body: createBody("application/json; charset=utf-8", JSON.stringify(said)),
      });
    case "text":
      return createReply({ ...parts, shared, body: createBody("text/plain; charset=utf-8", toLine(said)) });
  }
}

function sayOnPage(
  { verification }: Pick<HttpDeps, "verification">,
  problem: HttpProblem,
  said: Problem,
  { manner, parts }: { readonly manner: Manner; readonly parts: Parameters<typeof pageReply>[1] },
): Reply {
  const { language } = manner;
  const { check, data } = problem.details;
  if (check === undefined) {
    const retryAfterSeconds = retryAfterOf(problem);
    const path = bothPathsOf(manner);
    const extras = {
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(path === undefined ? {} : { path }),
    };
    return pageReply(renderProblemPage(said, problem.status, language, extras), parts);
  }
  const page = renderCheckPage({
    ip: check.address,
    action: check.action,
    language,
    sentence: said.error,
    hint: said.hint ?? "",
    invitation: verification.describeWidget(check),
    reportPath: reportPathOf(check.address, language),
    ...(typeof data?.reason === "string" ? { problemReason: data.reason } : {}),
  });
  return pageReply(page, { ...parts, policy: checkPolicyOf(verification.kind) });
}

/** The error body. */
export function toProblem(problem: HttpProblem, language: Language): Problem {
  const { data, reportUrl, allow } = problem.details;
  const retryAfterSeconds = retryAfterOf(problem);
  const { error, hint } = localizeProblem(problem.code, language, {
    ...data,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(allow === undefined ? {} : { allowed: allow }),
  });
  return {
    error,
    code: problem.code,
    ...(hint === undefined ? {} : { hint }),
    ...(reportUrl === undefined ? {} : { reportUrl }),
  };
}

/** Whole seconds to wait, at least 1; undefined where waiting is not the way. */
export function retryAfterOf(problem: HttpProblem): number | undefined {
  const { retryAfterMs } = problem.details;
  return retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
}

function toLine(problem: Problem): string {
  const parts = [problem.error, problem.hint, problem.reportUrl].filter((part) => part !== undefined);
  return `${parts.join(" ").replace(/\s+/g, " ")}\n`;
}
