import { createHash, timingSafeEqual } from "node:crypto";
import type { AnyElysia } from "elysia";
import { isWithin, type Prefix, parseAddress, parsePrefix } from "#address";
import type { Clients, MetricsPort, Operation } from "../context.ts";
import { prefersPage } from "../plugins/headers.ts";
import { createRoutes, findPeer, type RequestContext } from "../plugins/request_context.ts";
import { HttpProblem } from "../problem.ts";
import { Reply } from "../reply.ts";
import { type FormatChoice, operation, problems, text } from "../responses.ts";

/** RFC 1122, 3.2.1.3 and RFC 4291, 2.5.3; a mapped address is read as IPv4. */
const LOOPBACK: readonly Prefix[] = ["127.0.0.0/8", "::1/128"].flatMap((prefix) => parsePrefix(prefix) ?? []);

/** Headers that proxies add. A request with one of them did not come directly from this machine. */
const FORWARDING = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "forwarded",
  "via",
] as const;

/** A client without access gets the same 404 as for an unknown path. */
const FORMAT: FormatChoice = {
  formats: ["json"],
  choose: ({ isPrivate, request }) => (isPrivate !== true && prefersPage(request.headers) ? "page" : "json"),
};

/**
 * `/metrics`, for the operator: from anywhere with the token; without a configured token only from this machine, and
 * everyone else gets 404. Costs no lookup, and no page of another site may read it.
 */
export function metricsRoute(path: string, context: Clients & Operation, app: AnyElysia) {
  /** @throws {HttpProblem} `not_found`, as for an unmatched path, if the client may not know it; `unauthorized`. */
  function requireMetrics(requestContext: RequestContext): MetricsPort {
    const { metrics } = context;
    const { headers } = requestContext.request;
    const peer = findPeer(context, requestContext.request, app.server);
    if (metrics === undefined || !isFound(metrics, headers, peer)) {
      requestContext.route = "unmatched";
      throw new HttpProblem("not_found");
    }
    requestContext.isPrivate = true;
    if (!isAuthorized(metrics, headers)) throw new HttpProblem("unauthorized");
    return metrics;
  }

  return createRoutes()
    .get(
      path,
      async ({ requestContext }) => {
        const { contentType, write } = requireMetrics(requestContext);
        return new Reply<"text">(
          { cacheControl: "no-store", shared: false },
          { contentType, content: await write() },
        );
      },
      {
        response: {
          200: text("The metrics.", {
            isCacheable: false,
            shared: false,
            example:
              '# HELP limpid_answers_total Lookups by the tier that answered, or by why there was no answer.\n# TYPE limpid_answers_total counter\nlimpid_answers_total{result="fresh"} 2\n',
          }),
          ...problems("nothing", FORMAT, [401, 404], { access: "hidden" }),
        },
        detail: operation("getMetrics"),
      },
    )
    .all(
      path,
      ({ requestContext }) => {
        requireMetrics(requestContext);
        throw new HttpProblem("method_not_allowed", { allow: ["GET", "HEAD"] });
      },
      { parse: "none", detail: { hide: true } },
    );
}

/** Whether the client may know the path. Without a configured token, only a direct peer on this machine may. */
function isFound({ token }: MetricsPort, headers: Headers, peer: string | undefined): boolean {
  if (token !== undefined) return true;
  const address = peer === undefined ? undefined : parseAddress(peer);
  const isHere = address !== undefined && LOOPBACK.some((prefix) => isWithin(address, prefix));
  return isHere && !FORWARDING.some((name) => headers.has(name));
}

/** Whether the request has the token of the operator. Without a configured token none has it. */
export function hasToken(metrics: MetricsPort, headers: Headers): boolean {
  return metrics.token !== undefined && isAuthorized(metrics, headers);
}

/** Compares hashes, so that the duration reveals neither the letters of the token nor its length. */
function isAuthorized({ token }: MetricsPort, headers: Headers): boolean {
  if (token === undefined) return true;
  const given = /^bearer +([\x21-\x7e]{1,1024})$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  return timingSafeEqual(hash(given), hash(token));
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
