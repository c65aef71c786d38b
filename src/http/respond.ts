import type { LimitState } from "#limits";
import type { Exchange } from "./exchange.ts";
import type { Reply } from "./reply.ts";

/** Headers that describe a body, which a 304 does not have. */
const BODY_HEADERS = ["content-type", "content-length", "content-encoding"] as const;

/** Sends a reply: encoding, 304, HEAD, and the headers that belong to this one request. */
export function respond(exchange: Exchange, reply: Reply): Response {
  const { headers: asked, method } = exchange.request;
  const packed = reply.body?.gzip !== undefined && acceptsGzip(asked.get("accept-encoding"));
  const { head, etag, whole } = reply.representation(packed);
  let response: Response;
  if (isKnown(asked.get("if-none-match"), etag)) {
    response = new Response(null, { status: 304, headers: head });
    for (const name of BODY_HEADERS) response.headers.delete(name);
  } else if (method === "HEAD") response = new Response(null, { status: reply.status, headers: head });
  else response = whole();
  const { headers } = response;
  headers.set("x-request-id", exchange.id);
  if (exchange.openLeft !== undefined) headers.set("x-open-budget-remaining", String(exchange.openLeft));
  if (exchange.limits.length > 0) {
    headers.set("ratelimit-policy", exchange.limits.map(formatPolicy).join(", "));
    headers.set("ratelimit", exchange.limits.map(formatLimit).join(", "));
  }
  return response;
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
