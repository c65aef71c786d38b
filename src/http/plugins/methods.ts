import { HttpProblem } from "../problem.ts";
import { emptyReply, type Reply, redirect } from "../reply.ts";
import type { RouteFacts, RouteTable } from "../route_table.ts";
import type { RequestContext } from "./request_context.ts";
import { prefersPage } from "./request_headers.ts";
import { chooseFormat } from "./send.ts";

/** Answers OPTIONS (also the CORS preflight of the Fetch standard), and refuses methods that a path does not have. */
export function answerOtherMethod(
  { methods, format, access }: RouteFacts,
  requestContext: RequestContext,
): readonly [Reply | HttpProblem, number?] {
  const isRead = methods.includes("GET");
  const allow = isRead ? ["GET", "HEAD", "OPTIONS"] : [...methods, "OPTIONS"];
  if (requestContext.request.method !== "OPTIONS") return [new HttpProblem("method_not_allowed", { allow })];
  const shared = access === "shared" && chooseFormat(format, requestContext) !== "page";
  const list = allow.join(", ");
  const cors = {
    "access-control-allow-methods": list,
    "access-control-allow-headers": "*",
    "access-control-max-age": "86400",
  };
  return [emptyReply({ shared, headers: { allow: list, ...(shared ? cors : {}) } }), 204];
}

function canBePage(format: RouteFacts["format"]): boolean {
  return typeof format === "string" ? format === "page" : format.formats.includes("page");
}

/** Returns the facts for a request that matches no route. Browsers get its errors as pages. */
export function unmatched(table: RouteTable, requestContext: RequestContext): RouteFacts {
  const folder = table.matchFolder(requestContext.path);
  const format = prefersPage(requestContext.request.headers) ? "page" : (folder?.format ?? "json");
  return { route: "unmatched", methods: ["GET"], format, cost: "nothing", access: "shared" };
}

/** Characters of a path with an address in it, in any spelling. */
const PLAIN_PATH = /^[\w./:%[\]-]{1,80}$/;

/** Redirects a page or a lookup with an extra slash at its end, which people and some proxies add; else 404. */
export function answerUnmatched(
  table: RouteTable,
  { path, request }: RequestContext,
): readonly [Reply | HttpProblem, number?] {
  const bare = path.endsWith("/") ? path.slice(0, -1) : "";
  const facts = bare !== "/" && PLAIN_PATH.test(bare) ? table.match(bare) : undefined;
  // A path that looks unmatched must not show by a redirect that it exists.
  const isRead =
    facts?.methods.includes("GET") === true &&
    facts.access !== "hidden" &&
    (facts.cost !== "nothing" || canBePage(facts.format)) &&
    (request.method === "GET" || request.method === "HEAD");
  if (!isRead) return [new HttpProblem("not_found")];
  return [redirect(bare, request, facts.access === "shared" && facts.format !== "page").response, 308];
}
