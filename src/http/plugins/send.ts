import type { Clients, Format, Operation } from "../context.ts";
import { HttpProblem } from "../problem.ts";
import { replyProblem } from "../problem_reply.ts";
import { Reply } from "../reply.ts";
import type { RouteFacts } from "../route_table.ts";
import { setLimitHeaders } from "./limits.ts";
import type { RequestContext } from "./request_context.ts";
import { acceptsGzip, isCurrent } from "./request_headers.ts";

/** Headers that describe a body, which a 304 does not have. */
const BODY_HEADERS = ["content-type", "content-length", "content-encoding"] as const;

/**
 * Turns what a handler returned into the response: writes a problem in the format of the route, compresses, answers a
 * conditional request, and sets the headers that belong to this one request.
 */
export function send(
  context: Pick<Clients, "verification"> & Pick<Operation, "watch">,
  requestContext: RequestContext,
  facts: RouteFacts,
  answer: Reply | HttpProblem,
  status = 200,
): Response {
  const { headers } = requestContext.request;
  const format = chooseFormat(facts.format, requestContext);
  const problem = answer instanceof HttpProblem ? answer : undefined;
  const shared = format !== "page" && facts.access !== "private" && requestContext.isPrivate !== true;
  const reply =
    answer instanceof Reply ? answer : replyProblem(context, requestContext, answer, { format, shared });
  const compressed = reply.isCompressible && acceptsGzip(headers);
  const sentStatus = problem?.status ?? status;
  const { head, createResponse } = reply.represent(sentStatus, compressed);
  const response =
    sentStatus === 200 && isCurrent(headers, head, requestContext.isAboutCaller)
      ? notModified(head)
      : createResponse();
  response.headers.set("x-request-id", requestContext.id);
  setLimitHeaders(response.headers, requestContext);
  countRequest(context, requestContext, facts, response.status, problem);
  return response;
}

/** The format of a route for one request. */
export function chooseFormat(format: RouteFacts["format"], requestContext: RequestContext): Format {
  return typeof format === "string" ? format : format.choose(requestContext);
}

/** The 304 for an answer with this head. */
function notModified(head: Headers): Response {
  const response = new Response(null, { status: 304, headers: head });
  for (const name of BODY_HEADERS) response.headers.delete(name);
  return response;
}

/** Reports a finished request for metrics and logs. */
export function countRequest(
  { watch }: Pick<Operation, "watch">,
  requestContext: RequestContext,
  facts: Pick<RouteFacts, "route" | "format">,
  status: number,
  problem?: HttpProblem,
): void {
  if (watch === undefined) return;
  const { id, request, client, startedAt, route = facts.route } = requestContext;
  const reason = problem?.details.data?.reason;
  watch.request({
    id,
    route,
    method: request.method,
    format: chooseFormat(facts.format, requestContext),
    status,
    ms: watch.clock() - startedAt,
    clientKey: client.key,
    ...(problem === undefined ? {} : { code: problem.code }),
    ...(typeof reason === "string" ? { reason } : {}),
  });
}
