import type { AnyElysia } from "elysia";
import { createRecentMap } from "#common";
import type { HttpContext } from "../context.ts";
import { HttpProblem } from "../problem.ts";
import { Reply } from "../reply.ts";
import type { Handler, RouteFacts, RouteTable } from "../route_table.ts";
import { answerError } from "./errors.ts";
import {
  checkRequest,
  collectParameters,
  createRequestContext,
  createRoutes,
  MAX_BODY_BYTES,
  type Target,
} from "./request_context.ts";
import { send, sendAnswer } from "./send.ts";

/** Longer URLs are parsed each time; the URL of a report has less than 120 characters. */
const MAX_URL_LENGTH = 200;

const MAX_URLS = 8192;

/** How long an answer waits for the rest of a body that the route did not read. */
const DRAIN_MS = 1000;

/** How long requests are answered in one turn of the event loop. */
const MAX_TURN_MS = 10;

/** What routing and validation make of a URL. Every field depends on the URL alone. */
interface ParsedUrl {
  readonly facts: RouteFacts;
  readonly handle: Handler;
  readonly target: Target;
  readonly params: unknown;
  readonly query: unknown;
}

/** The function that answers a request; Elysia declares only the type `Function`. */
type Answer = (request: Request) => Response | Promise<Response>;

/**
 * The way of every request: its context, the checks of its head, the handler of its route, and the response. Routing and
 * validation stand before the handler. For a URL that they parsed before, their result is taken from a map, because they
 * take more time than the rest; everything else runs in the same functions.
 */
export function pipelinePlugin(context: HttpContext, app: AnyElysia, table: RouteTable) {
  const urls = createRecentMap<string, ParsedUrl>(MAX_URLS);

  async function answerParsed(request: Request, url: ParsedUrl): Promise<Response> {
    const { facts, handle, target, params, query } = url;
    const requestContext = createRequestContext(context, request, app.server, target);
    try {
      checkRequest(requestContext);
      return sendAnswer(context, requestContext, facts, await handle({ params, query, requestContext }));
    } catch (error) {
      return answerError(context, requestContext, { table, route: facts.route }, error);
    }
  }

  const waitForTurn = createTurns(context);

  app.wrap((fn) => (request: Request) => {
    const turn = waitForTurn();
    // Elysia declares the type `Function` only.
    const route = fn as unknown as Answer;
    return turn === undefined ? answer(route, request) : turn.then(() => answer(route, request));
  });

  function answer(route: Answer, request: Request): Response | Promise<Response> {
    const url = request.method === "GET" ? urls.get(request.url) : undefined;
    const response = url === undefined ? route(request) : answerParsed(request, url);
    if (request.method === "HEAD") return withoutBody(response);
    const { headers } = request;
    const mayBeLong =
      headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > MAX_BODY_BYTES;
    return mayBeLong ? afterBody(request, response) : response;
  }

  return createRoutes()
    .onRequest((elysia) => {
      elysia.requestContext = createRequestContext(context, elysia.request, app.server);
      checkRequest(elysia.requestContext);
    })
    .onTransform({ as: "global" }, (elysia) => {
      elysia.query = collectParameters(elysia.requestContext.query);
    })
    .mapResponse({ as: "global" }, ({ responseValue, requestContext, route, set, params, query }) => {
      if (!(responseValue instanceof Reply) && !(responseValue instanceof HttpProblem)) return;
      const facts = table.get(route);
      if (facts === undefined) throw new TypeError(`Cannot send an answer: no declaration of ${route}`);
      const { request, path, query: target, language } = requestContext;
      const { handle } = facts;
      const isKept = request.method === "GET" && request.url.length <= MAX_URL_LENGTH;
      if (responseValue instanceof Reply && isKept && handle !== undefined)
        urls.set(request.url, { facts, handle, target: { path, query: target, language }, params, query });
      const status = typeof set.status === "number" ? set.status : 200;
      // The response carries its own status; any other value here makes Elysia copy it.
      set.status = 200;
      return send(context, requestContext, facts, responseValue, status);
    })
    .onError({ as: "global" }, async ({ error, requestContext, route, set }) => {
      set.status = 200;
      return answerError(context, requestContext, { table, route }, error);
    });
}

/**
 * Makes a request wait when those before it took long in this turn of the event loop. Bun 1.4.5 accepts connections and
 * answers their requests in one turn until no more come: clients with a connection for each request would stop all timers
 * and open connections, and no socket would be closed.
 */
function createTurns({ now }: Pick<HttpContext, "now">): () => Promise<void> | undefined {
  let endMs: number | undefined;
  return function waitForTurn(): Promise<void> | undefined {
    if (endMs === undefined) {
      endMs = now() + MAX_TURN_MS;
      setImmediate(() => {
        endMs = undefined;
      });
    }
    if (now() < endMs) return;
    return new Promise<void>((resolve) => setImmediate(resolve)).then(waitForTurn);
  };
}

/** HEAD is answered as GET without a body. Elysia writes a content-length into answers that have none. */
async function withoutBody(response: Response | Promise<Response>): Promise<Response> {
  const { status, headers } = await response;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (isStream || headers.get("content-length") === "0") headers.delete("content-length");
  return new Response(null, { status, headers });
}

/**
 * Waits for the end of a short body that the route did not read: the runtime answers a malformed chunk with 400, and an
 * earlier answer of ours would be a second one. Closes the connection if a refused body is long, or does not end: the
 * runtime would read it to its end, whatever its length.
 */
async function afterBody(request: Request, response: Response | Promise<Response>): Promise<Response> {
  const answer = await response;
  const isRead = request.bodyUsed ? answer.status < 400 : await isShort(request);
  if (!isRead) answer.headers.set("connection", "close");
  return answer;
}

/** Reads a body. Returns whether it ended in time, with at most 64 kB. */
async function isShort(request: Request): Promise<boolean> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) return false;
  const late = Bun.sleep(DRAIN_MS).then(() => false);
  const reader = request.body?.getReader();
  async function read(): Promise<boolean> {
    for (let size = 0; size <= MAX_BODY_BYTES; ) {
      const part = await reader?.read();
      if (part === undefined || part.done) return true;
      size += part.value.byteLength;
    }
    return false;
  }
  return Promise.race([read().catch(() => true), late]);
}
