import type { LimitState } from "#gate";
import type { Exchange } from "./exchange.ts";
import type { Reply } from "./reply.ts";

/** Headers that describe a body, which a 304 does not have. */
const BODY_HEADERS = ["content-type", "content-length", "content-encoding"] as const;

/** Sends a reply: encoding, 304, HEAD, and the headers that belong to this one request. */
export function respond(exchange: Exchange, reply: Reply): Response {
  const { body, status } = reply;
  const asked = exchange.request.headers;
  const packed = body?.gzip !== undefined && acceptsGzip(asked.get("accept-encoding"));
  const headers = new Headers(reply.head(packed));
  headers.set("x-request-id", exchange.id);
  if (exchange.openLeft !== undefined) headers.set("x-open-budget-remaining", String(exchange.openLeft));
  if (exchange.limits.length > 0) {
    headers.set("ratelimit-policy", exchange.limits.map(formatPolicy).join(", "));
    headers.set("ratelimit", exchange.limits.map(formatLimit).join(", "));
  }
  if (isKnown(asked.get("if-none-match"), headers.get("etag"))) {
    for (const name of BODY_HEADERS) headers.delete(name);
    return new Response(null, { status: 304, headers });
  }
  if (exchange.request.method === "HEAD") return new Response(null, { status, headers });
  if (reply.stream !== undefined) return new Response(reply.stream(), { status, headers });
  if (body === undefined) return new Response(null, { status, headers });
  return new Response(packed && body.gzip !== undefined ? body.gzip().bytes : body.bytes, {
    status,
    headers,
  });
}

/** RateLimit-Policy item of draft-ietf-httpapi-ratelimit-headers-11: quota and window in seconds. */
function formatPolicy(limit: LimitState): string {
  return `"${limit.policy}";q=${limit.quota};w=${limit.windowSeconds}`;
}

/** RateLimit item of the same draft: what is left, and seconds until there is more. */
function formatLimit(limit: LimitState): string {
  return `"${limit.policy}";r=${limit.remaining};t=${limit.resetSeconds}`;
}

/** RFC 9110, 12.5.3: gzip or `*`, unless its weight is 0. */
function acceptsGzip(header: string | null): boolean {
  if (header === null) return false;
  // What browsers and curl send.
  if (header.startsWith("gzip,") || header === "gzip") return true;
  let any = false;
  for (const part of header.split(",", 32)) {
    const [coding = "", weight = ""] = part.split(";").map((text) => text.trim().toLowerCase());
    const wanted = !/^q=0(?:\.0{0,3})?$/.test(weight);
    if (coding === "gzip" || coding === "x-gzip") return wanted;
    if (coding === "*") any = wanted;
  }
  return any;
}

/** RFC 9110, 13.1.2: any of the listed tags, compared weakly, or `*`. */
function isKnown(header: string | null, etag: string | null): boolean {
  if (header === null || etag === null) return false;
  return header.split(",").some((part) => {
    const tag = part.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}
