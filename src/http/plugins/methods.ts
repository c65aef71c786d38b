import type { AnyElysia } from "elysia";
import type { Format } from "../context.ts";
import { HttpProblem } from "../problem.ts";
import { emptyReply, type Reply, redirect } from "../reply.ts";
import type { RouteFacts, RouteTable } from "../route_table.ts";
import { prefersPage, type RequestContext } from "./request_context.ts";

/** The function that answers a request; Elysia declares only the type `Function`. */
export type Route = (request: Request) => Response | Promise<Response>;

/** How long an answer waits for the rest of a body that the route did not read. */
const DRAIN_MS = 1000;

/**
 * Answers HEAD as GET without a body, and a request in chunks only after its last chunk. Elysia does that too, but writes a content-length into answers that have none,
 * and leaves the body of an error.
 */
export function methodsPlugin(app: AnyElysia): AnyElysia {
  return app.wrap((fn) => (request: Request) => {
    const route = fn as unknown as Route;
    const response = route(request);
    if (request.method === "HEAD") return withoutBody(response);
    return request.headers.has("transfer-encoding") ? afterBody(request, response) : response;
  });
}

/**
 * Waits for the body of a request in chunks. The runtime answers a malformed chunk with 400 and closes the connection;
 * an earlier answer of ours would be a second one.
 */
async function afterBody(request: Request, response: Response | Promise<Response>): Promise<Response> {
  const answer = await response;
  if (request.body !== null && !request.bodyUsed)
    await Promise.race([request.body.pipeTo(new WritableStream()).catch(() => {}), Bun.sleep(DRAIN_MS)]);
  return answer;
}

async function withoutBody(response: Response | Promise<Response>): Promise<Response> {
  const { status, headers } = await response;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (isStream || headers.get("content-length") === "0") headers.delete("content-length");
  return new Response(null, { status, headers });
}

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

/** The format of a route for one request. */
export function chooseFormat(format: RouteFacts["format"], requestContext: RequestContext): Format {
  return typeof format === "string" ? format : format.choose(requestContext);
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
