import { sayProblem } from "#locale";
import type { Language, Problem } from "#report";
import { type Body, createBody } from "./body.ts";
import type { Shape } from "./exchange.ts";
import type { HttpProblem } from "./http_problem.ts";
import { renderProblemPage } from "./render_problem_page.ts";
import { createReply, type Reply } from "./reply.ts";

/** Says a problem in the language and shape of the request. `Retry-After` is in whole seconds, at least 1. */
export function sayHttpProblem(problem: HttpProblem, language: Language, shape: Shape): Reply {
  const { allow } = problem.details;
  const retryAfter = retryAfterOf(problem);
  return createReply({
    status: problem.status,
    body: bodyOf(toProblem(problem, language), problem.status, language, shape),
    keeping: "no-store",
    shared: shape !== "page",
    headers: {
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
      ...(allow === undefined ? {} : { allow: allow.join(", ") }),
    },
  });
}

/** The error body. */
export function toProblem(problem: HttpProblem, language: Language): Problem {
  const { data, reportUrl, allow } = problem.details;
  const retryAfterSeconds = retryAfterOf(problem);
  const { error, hint } = sayProblem(problem.code, language, {
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

function retryAfterOf(problem: HttpProblem): number | undefined {
  const { retryAfterMs } = problem.details;
  return retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
}

function bodyOf(problem: Problem, status: number, language: Language, shape: Shape): Body {
  switch (shape) {
    case "json":
      return createBody("application/json; charset=utf-8", JSON.stringify(problem));
    case "text": {
      const parts = [problem.error, problem.hint, problem.reportUrl].filter((part) => part !== undefined);
      return createBody("text/plain; charset=utf-8", `${parts.join(" ").replace(/\s+/g, " ")}\n`);
    }
    case "page":
      return createBody("text/html; charset=utf-8", renderProblemPage(problem, status, language));
  }
}
