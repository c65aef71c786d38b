import { HttpProblem } from "./http_problem.ts";

/**
 * Refuses what was not sent by a page of this site: `Sec-Fetch-Site` says so where the browser sends it
 * (https://www.w3.org/TR/fetch-metadata/), else `Origin` must be that of the base URL. Neither is no proof.
 * @throws {HttpProblem} `verification_required`
 */
export function requireSameOrigin(headers: Headers, baseUrl: string): void {
  const site = headers.get("sec-fetch-site");
  const isOurs = site === null ? headers.get("origin") === new URL(baseUrl).origin : site === "same-origin";
  if (!isOurs) throw new HttpProblem("verification_required", { data: { reason: "cross_site" } });
}
