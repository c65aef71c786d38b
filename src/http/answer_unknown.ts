import { HttpProblem } from "./http_problem.ts";
import { leadTo } from "./lead_to.ts";
import { PAGES } from "./read_target.ts";
import type { Handler } from "./serve.ts";

/** A report's path, of characters that an address has in any spelling. */
const REPORT = /^(?:\/en)?\/ip\/[\w.:%[\]-]{1,64}$/;

/** The page that a path with one slash too many means; people write that, and some proxies do. */
function findPage(path: string): string | undefined {
  const page = path.slice(0, -1);
  const isPage = page === "/en" || PAGES.includes(page) || REPORT.test(page);
  return isPage && path.endsWith("/") ? page : undefined;
}

/**
 * Answers what no route answers: a page asked for with a slash at its end is where it is, and nothing else is anywhere.
 * Programs are told at once that they ask for another path.
 * @throws {HttpProblem} `not_found`.
 */
export const answerUnknown: Handler = ({ path, request }) => {
  const page = findPage(path);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (page === undefined || !isRead) throw new HttpProblem("not_found");
  return leadTo(page, request);
};
