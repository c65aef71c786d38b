import { HttpProblem } from "./http_problem.ts";
import { leadTo } from "./lead_to.ts";
import type { Handler } from "./serve.ts";

/** A page, and one slash more than its path has; people write that, and some proxies do. */
const PAGE_WITH_SLASH = /^((?:\/en)?(?:\/(?:method|docs|compare)|\/ip\/[\w.:%[\]-]{1,64})|\/en)\/$/;

/**
 * Answers what no route answers: a page asked for with a slash at its end is where it is, and nothing else is anywhere.
 * Programs are told at once that they ask for another path.
 * @throws {HttpProblem} `not_found`.
 */
export const answerUnknown: Handler = ({ path, request }) => {
  const page = PAGE_WITH_SLASH.exec(path)?.[1];
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (page === undefined || !isRead) throw new HttpProblem("not_found");
  return leadTo(page, request);
};
