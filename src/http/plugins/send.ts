import type { HttpContext } from "../context.ts";
import { HttpProblem } from "../problem.ts";
import { replyProblem } from "../problem_reply.ts";
import { Reply } from "../reply.ts";
import type { RouteFacts, RouteTable } from "../route_table.ts";
import { acceptsGzip } from "./compression.ts";
import { isCurrent, notModified } from "./conditional.ts";
import { setLimitHeaders } from "./limits.ts";
import { chooseFormat } from "./methods.ts";
import { countRequest } from "./metrics.ts";
import { createRoutes, type RequestContext } from "./request_context.ts";

/** The facts about a route that {@link send} needs. */
export type SentFacts = Pick<RouteFacts, "route" | "format" | "access">;

/**
 * Turns what a handler returned into the response: writes a problem in the format of the route, compresses, answers a
 * conditional request, and sets the headers that belong to this one request.
 */
export function send(
  context: HttpContext,
  requestContext: RequestContext,
  facts: SentFacts,
  answer: Reply | HttpProblem,
  status = 200,
): Response {
  const { request } = requestContext;
  const format = chooseFormat(facts.format, requestContext);
  const problem = answer instanceof HttpProblem ? answer : undefined;
  const shared = format !== "page" && facts.access !== "private" && requestContext.isPrivate !== true;
  const reply =
    answer instanceof Reply ? answer : replyProblem(context, requestContext, answer, { format, shared });
  const compressed = reply.isCompressible && acceptsGzip(request.headers.get("accept-encoding"));
  const sentStatus = problem?.status ?? status;
  const { head, createResponse } = reply.represent(sentStatus, compressed);
  const response =
    sentStatus === 200 && isCurrent(request.headers, head, requestContext.isAboutCaller)
      ? notModified(head)
      : createResponse();
  response.headers.set("x-request-id", requestContext.id);
  setLimitHeaders(response.headers, requestContext);
  countRequest(context, requestContext, { route: facts.route, format, status: response.status, problem });
  return response;
}

/** Sends what the handlers return. */
export function sendPlugin(context: HttpContext, table: RouteTable) {
  return createRoutes().mapResponse({ as: "global" }, ({ responseValue, requestContext, route, set }) => {
    if (!(responseValue instanceof Reply) && !(responseValue instanceof HttpProblem)) return;
    const facts = table.get(route);
    if (facts === undefined) throw new TypeError(`Cannot send an answer: no declaration of ${route}`);
    const status = typeof set.status === "number" ? set.status : 200;
    // The response carries its own status; any other value here makes Elysia copy it.
    set.status = 200;
    return send(context, requestContext, facts, responseValue, status);
  });
}
