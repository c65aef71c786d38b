import { type AnyElysia, Elysia } from "elysia";
import type * as v from "valibot";
import { readClient } from "#limits";
import { takeLookup } from "./admit.ts";
import type { Exchange, Line } from "./exchange.ts";
import { explainFailure } from "./explain_failure.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";
import type { KnownLine } from "./known_lines.ts";
import { notHere } from "./not_here.ts";
import { readBody } from "./read_body.ts";
import { readTarget } from "./read_target.ts";
import { createReply, type Reply } from "./reply.ts";
import { type ReportDesk, replyKnown } from "./reply_report.ts";
import type { SeenRequest } from "./request_watch.ts";
import { requireSameOrigin } from "./require_same_origin.ts";
import { respond } from "./respond.ts";
import { sayHttpProblem } from "./say_http_problem.ts";
import { wantsPage } from "./wants_text.ts";

/** Answers one request, or throws an {@link HttpProblem}. */
export type Handler = (exchange: Exchange) => Reply | Promise<Reply>;

/** Longest path and query; the longest right one is under 200 characters. */
const MAX_TARGET_LENGTH = 2048;

/** What a resource that is read may be asked. */
const READ_METHODS = ["GET", "HEAD", "OPTIONS"] as const;

/** What a resource that is written to may be asked. */
const WRITE_METHODS = ["POST", "OPTIONS"] as const;

/** Nobody reads it: the status of an answer whose caller has left. */
const CLIENT_LEFT = 499;

/** Counted as the route of what is none. */
const UNMATCHED = "unmatched";

interface Peers {
  requestIP(request: Request): { readonly address: string } | null;
}

/**
 * Mounts one resource: GET and HEAD answer, OPTIONS tells what may be asked, anything else is refused.
 * Not by `.get`: Elysia would answer HEAD from it and write `content-length: 0` into a 304.
 */
export function mount(deps: HttpDeps, path: string, handler: Handler): AnyElysia {
  deps.watch?.route(path);
  return new Elysia({ name: `route ${path}` })
    .head(path, ({ request, server }) => serve(deps, request, server, handler, "shared", path))
    .all(path, ({ request, server }) => {
      const answer = pickHandler(request.method, "GET", READ_METHODS, handler);
      return serve(deps, request, server, answer, "shared", path);
    });
}

/**
 * Mounts one resource that pages of this site write to: POST with a small JSON document answers, and only to them.
 * No page of another site may send it or read the answer. It costs one lookup, however it ends.
 * `parse: "none"`: the body is read here, bounded, and only after the limits.
 */
export function mountPost<const Schema extends v.GenericSchema>(
  deps: HttpDeps,
  path: string,
  schema: Schema,
  handler: (exchange: Exchange, body: v.InferOutput<Schema>) => Reply | Promise<Reply>,
): AnyElysia {
  const post: Handler = async (exchange) => {
    if (deps.mirror !== undefined) throw notHere(deps, exchange, { reason: "write" });
    requireSameOrigin(exchange.request.headers, deps.baseUrl);
    takeLookup(deps, exchange);
    return handler(exchange, await readBody(exchange.request, schema));
  };
  deps.watch?.route(path);
  return new Elysia({ name: `route ${path}` }).all(
    path,
    ({ request, server }) => {
      const answer = pickHandler(request.method, "POST", WRITE_METHODS, post);
      return serve(deps, request, server, answer, "private", path);
    },
    { parse: "none" },
  );
}

function pickHandler(method: string, own: string, allow: readonly string[], handler: Handler): Handler {
  if (method === own) return handler;
  if (method === "OPTIONS") return (exchange) => preflight(exchange, allow);
  return () => {
    throw new HttpProblem("method_not_allowed", { allow });
  };
}

/**
 * Runs a handler and turns whatever it throws into an answer that tells nothing internal. `access`: whether scripts of
 * any site may read it, only this site's pages, or nobody knows the path; then a browser is told so on a page.
 * `route`: the pattern under which the request is counted.
 */
export function serve(
  deps: HttpDeps,
  request: Request,
  server: Peers | null,
  handler: Handler,
  access: "shared" | "private" | "unknown" = "shared",
  route = UNMATCHED,
): Response | Promise<Response> {
  const startedAt = deps.watch?.clock() ?? 0;
  const { path, query, language, shape, length } = readTarget(request);
  const isPage = access === "unknown" && wantsPage(request.headers);
  const line = { path, query, language, shape: isPage ? ("page" as const) : shape };
  const answer = length > MAX_TARGET_LENGTH ? refuseLength : handler;
  return run(deps, request, server, { line, route, isPrivate: access === "private", startedAt }, answer);
}

/** Answers a request line that was answered before, past the router, with everything that `serve` does. */
export function serveKnown(
  deps: HttpDeps,
  desk: ReportDesk,
  request: Request,
  server: Peers | null,
  line: KnownLine,
): Response | Promise<Response> {
  const startedAt = deps.watch?.clock() ?? 0;
  const told = { line, route: line.route, isPrivate: false, startedAt };
  return run(deps, request, server, told, (exchange) => replyKnown(deps, desk, exchange, line.wish));
}

interface Told {
  readonly line: Line;
  readonly route: string;
  readonly isPrivate: boolean;
  readonly startedAt: number;
}

function run(
  deps: HttpDeps,
  request: Request,
  server: Peers | null,
  { line, route, isPrivate, startedAt }: Told,
  handler: Handler,
): Response | Promise<Response> {
  const { watch } = deps;
  const { path, query, language, shape } = line;
  const peer = findPeer(deps, request, server);
  const exchange: Exchange = {
    id: deps.newRequestId(),
    request,
    route,
    path,
    query,
    language,
    shape,
    shared: !isPrivate && shape !== "page",
    client: readClient(request.headers, peer, deps.clientRules),
    limits: [],
  };
  function end(response: Response, problem?: HttpProblem): Response {
    if (watch !== undefined)
      watch.request(describeEnd(exchange, response.status, watch.clock() - startedAt, problem));
    return response;
  }
  const fail = (error: unknown): Response => {
    if (!(error instanceof HttpProblem) && request.signal.aborted)
      return end(new Response(null, { status: CLIENT_LEFT }));
    const problem = explainFailure(deps, exchange, error);
    return end(respond(exchange, sayHttpProblem(deps, problem, exchange)), problem);
  };
  let reply: Reply | Promise<Reply>;
  try {
    reply = handler(exchange);
    if (!(reply instanceof Promise)) return end(respond(exchange, reply));
  } catch (error) {
    return fail(error);
  }
  return reply.then((late) => end(respond(exchange, late))).catch(fail);
}

function refuseLength(): never {
  throw new HttpProblem("too_large");
}

/** Address of the TCP peer as the system writes it. */
export function findPeer(
  deps: Pick<HttpDeps, "peer">,
  request: Request,
  server: Peers | null,
): string | undefined {
  return deps.peer?.(request) ?? server?.requestIP(request)?.address;
}

function describeEnd(
  { id, request, route, shape, client }: Exchange,
  status: number,
  ms: number,
  problem: HttpProblem | undefined,
): SeenRequest {
  const end = { id, route, method: request.method, shape, status, ms, clientKey: client.key };
  if (problem === undefined) return end;
  const reason = problem.details.data?.reason;
  return { ...end, code: problem.code, ...(typeof reason === "string" ? { reason } : {}) };
}

/** OPTIONS, and the question browsers put before a request to another site (Fetch standard, CORS-preflight). */
function preflight({ shared }: Exchange, allow: readonly string[]): Reply {
  const methods = allow.join(", ");
  const headers = {
    allow: methods,
    "access-control-allow-methods": methods,
    "access-control-allow-headers": "*",
    "access-control-max-age": "86400",
  };
  return createReply({
    status: 204,
    keeping: "no-store",
    shared,
    headers: shared ? headers : { allow: methods },
  });
}
