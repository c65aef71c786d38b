import type { AnyElysia } from "elysia";
import { createLineFormat } from "../classify_lines.ts";
import type { HttpContext } from "../context.ts";
import { CLASSIFY_PATH } from "../problem.ts";
import { Reply } from "../reply.ts";
import type { Route } from "./methods.ts";
import { countRequest } from "./metrics.ts";
import { createRequestContext, hasOneHost, type Target } from "./request_context.ts";

const START = `${CLASSIFY_PATH}?ip=`;

/** An address as it is written in a URL without escapes, and nothing after it. */
const PLAIN_ADDRESS = /^[\da-f:.]{2,45}$/i;

const TARGET: Target = { path: CLASSIFY_PATH, query: new URLSearchParams(), language: "zh" };

/**
 * Answers `GET /api/classify?ip=ADDRESS` of the operator without routing and validation, which take more time than the
 * answer. The answer is the same; every other request goes to the route.
 */
export function quickClassifyPlugin(context: HttpContext, app: AnyElysia): AnyElysia {
  if (context.mirror !== undefined) return app;
  const format = createLineFormat(context.classifier);
  const { head } = new Reply(
    { cacheControl: "no-store", shared: false },
    { contentType: "application/json; charset=utf-8", content: "" },
  ).represent(200, false);
  const headers = [...head].filter(([name]) => name !== "content-length");

  function answer(request: Request): Response | undefined {
    const text = readAddress(request.url);
    if (text === undefined || !hasOneHost(request.headers)) return undefined;
    const requestContext = createRequestContext(context, request, app.server, TARGET);
    if (!requestContext.client.exempt) return undefined;
    const row = format(text);
    if (!row.startsWith('{"ip"')) return undefined;
    const response = new Response(row, { headers: [...headers, ["x-request-id", requestContext.id]] });
    countRequest(context, requestContext, {
      route: CLASSIFY_PATH,
      format: "json",
      status: 200,
      problem: undefined,
    });
    return response;
  }

  return app.wrap((fn) => (request: Request) => {
    const route = fn as unknown as Route;
    return (request.method === "GET" ? answer(request) : undefined) ?? route(request);
  });
}

function readAddress(url: string): string | undefined {
  const path = url.indexOf("/", url.indexOf("://") + 3);
  if (path < 0 || !url.startsWith(START, path)) return undefined;
  const text = url.slice(path + START.length);
  return PLAIN_ADDRESS.test(text) ? text : undefined;
}
