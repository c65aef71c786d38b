import type { AnyElysia } from "elysia";
import { type Address, parseAddress } from "#address";
import { createRecentMap, type RecentMap } from "#lookup";
import type { HttpContext } from "../context.ts";
import { isOwnReport } from "../lookup.ts";
import type { ReportFormat } from "../parameters.ts";
import { Reply } from "../reply.ts";
import { type ReportReplies, reportSubjectOf } from "../report_replies.ts";
import type { RouteFacts, RouteTable } from "../route_table.ts";
import { showAllowance, takeLookup } from "./limits.ts";
import type { Route } from "./methods.ts";
import { createRequestContext, createRoutes, hasOneHost, type Target } from "./request_context.ts";
import { send } from "./send.ts";

/** The URL of a report has less than 120 characters; longer ones are not cached. */
const MAX_URL_LENGTH = 200;

/** URLs of one generation; two generations are kept. */
const MAX_URLS = 4096;

/** The parsed form of a URL that was answered with a report. Every field depends on the URL alone. */
interface CachedRequest {
  readonly address: Address;
  readonly format: ReportFormat;
  readonly facts: RouteFacts;
  readonly target: Target;
}

/**
 * Answers a URL without routing and validation, if it was answered with a report before and memory holds the address.
 * Limits, headers and metrics are the same. The router and the routes do not depend on this plugin.
 */
export function cachedRequestsPlugin(
  context: HttpContext,
  app: AnyElysia,
  { table, replies }: { readonly table: RouteTable; readonly replies: ReportReplies },
) {
  const cache = createUrlCache<CachedRequest>();
  const { findKnownNow } = context;

  function answer(
    request: Request,
    { address, format, facts, target }: CachedRequest,
  ): Response | Promise<Response> | undefined {
    const known = findKnownNow?.(address);
    if (known === undefined) return undefined;
    const requestContext = createRequestContext(context, request, app.server, target);
    const refused = takeLookup(context, requestContext);
    const own = isOwnReport(requestContext, known.assessment);
    const reply = refused?.response ?? replies(known, { language: requestContext.language, format, own });
    const allowance = showAllowance(context, requestContext);
    if (reply instanceof Promise || allowance !== undefined) {
      return Promise.all([reply, allowance]).then(([ready]) => send(context, requestContext, facts, ready));
    }
    return send(context, requestContext, facts, reply);
  }

  app.wrap((fn) => (request: Request) => {
    const route = fn as unknown as Route;
    const cached =
      request.method === "GET" && hasOneHost(request.headers) ? cache.get(request.url) : undefined;
    return (cached === undefined ? undefined : answer(request, cached)) ?? route(request);
  });

  return createRoutes().mapResponse({ as: "global" }, ({ responseValue, requestContext, route }) => {
    if (!(responseValue instanceof Reply)) return;
    const { request, query } = requestContext;
    const subject = reportSubjectOf(responseValue);
    const facts = table.get(route);
    if (subject === undefined || facts?.cost !== "survey" || request.method !== "GET") return;
    if (requestContext.isAboutCaller === true || query.has("refresh")) return;
    const address = parseAddress(subject.address);
    const { path, language } = requestContext;
    if (address !== undefined)
      cache.set(request.url, { address, format: subject.format, facts, target: { path, query, language } });
  });
}

/** Creates a cache by URL; URLs of more than 200 characters are not kept. */
export function createUrlCache<Value>(): Pick<RecentMap<string, Value>, "get" | "set"> {
  const urls = createRecentMap<string, Value>(2 * MAX_URLS);
  return {
    get: urls.get,
    set(url, value) {
      if (url.length <= MAX_URL_LENGTH) urls.set(url, value);
    },
  };
}
