import { type AnyElysia, Elysia } from "elysia";
import { readClient } from "#gate";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";
import { readTarget } from "./read_target.ts";
import { createReply, type Reply } from "./reply.ts";
import { respond } from "./respond.ts";
import { sayHttpProblem } from "./say_http_problem.ts";

/** Answers one request, or throws an {@link HttpProblem}. */
export type Handler = (exchange: Exchange) => Reply | Promise<Reply>;

/** Longest path and query; the longest right one is under 200 characters. */
const MAX_TARGET_LENGTH = 2048;

/** What every resource may be asked. */
const ALLOWED = ["GET", "HEAD", "OPTIONS"] as const;

/** Nobody reads it: the status of an answer whose caller has left. */
const CLIENT_LEFT = 499;

interface Peers {
  requestIP(request: Request): { readonly address: string } | null;
}

/**
 * Mounts one resource: GET and HEAD answer, OPTIONS tells what may be asked, anything else is refused.
 * Not by `.get`: Elysia would answer HEAD from it and write `content-length: 0` into a 304.
 */
export function mount(deps: HttpDeps, path: string, handler: Handler): AnyElysia {
  return new Elysia({ name: `route ${path}` })
    .head(path, ({ request, server }) => serve(deps, request, server, handler))
    .all(path, ({ request, server }) => serve(deps, request, server, pickHandler(request.method, handler)));
}

function pickHandler(method: string, handler: Handler): Handler {
  if (method === "GET") return handler;
  return method === "OPTIONS" ? preflight : refuseMethod;
}

/** Runs a handler and turns whatever it throws into an answer that tells nothing internal. */
export async function serve(
  deps: HttpDeps,
  request: Request,
  server: Peers | null,
  handler: Handler,
): Promise<Response> {
  const target = readTarget(request);
  const peer = deps.peer?.(request) ?? server?.requestIP(request)?.address;
  const exchange: Exchange = {
    id: deps.newRequestId(),
    request,
    path: target.path,
    query: target.query,
    language: target.language,
    shape: target.shape,
    client: readClient(request.headers, peer, deps.clientRules),
    limits: [],
  };
  try {
    if (target.length > MAX_TARGET_LENGTH) throw new HttpProblem("too_large");
    return respond(exchange, await handler(exchange));
  } catch (error) {
    if (error instanceof HttpProblem) return refuse(exchange, error);
    if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
    deps.log("error", "request_failed", { requestId: exchange.id, ...describe(error) });
    return refuse(exchange, new HttpProblem("internal", { data: { requestId: exchange.id } }));
  }
}

function refuse(exchange: Exchange, problem: HttpProblem): Response {
  return respond(exchange, sayHttpProblem(problem, exchange.language, exchange.shape));
}

/** OPTIONS, and the question browsers put before a request to another site (Fetch standard, CORS-preflight). */
function preflight(exchange: Exchange): Reply {
  const methods = ALLOWED.join(", ");
  const shared = exchange.shape !== "page";
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

function refuseMethod(): never {
  throw new HttpProblem("method_not_allowed", { allow: ALLOWED });
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  return { name: error.name, message: error.message, stack: error.stack };
}
