import type { Format, HttpContext } from "../context.ts";
import type { HttpProblem } from "../problem.ts";
import type { RequestContext } from "./request_context.ts";

/** How a request ended. */
export interface RequestEnd {
  readonly route: string;
  readonly format: Format;
  readonly status: number;
  readonly problem: HttpProblem | undefined;
}

/** Reports a finished request for metrics and logs. */
export function countRequest(
  { watch }: Pick<HttpContext, "watch">,
  { id, request, client, startedAt }: RequestContext,
  { route, format, status, problem }: RequestEnd,
): void {
  if (watch === undefined) return;
  const reason = problem?.details.data?.reason;
  watch.request({
    id,
    route,
    method: request.method,
    format,
    status,
    ms: watch.clock() - startedAt,
    clientKey: client.key,
    ...(problem === undefined ? {} : { code: problem.code }),
    ...(typeof reason === "string" ? { reason } : {}),
  });
}
