import { createHash, timingSafeEqual } from "node:crypto";
import { type AnyElysia, Elysia } from "elysia";
import { isWithin, type Prefix, parseAddress, parsePrefix } from "#address";
import { createBody } from "../body.ts";
import type { HttpDeps, MetricsPort } from "../http_deps.ts";
import { HttpProblem } from "../http_problem.ts";
import { createReply } from "../reply.ts";
import { findPeer, type Handler, serve } from "../serve.ts";

const PATH = "/metrics";

const METHODS = ["GET", "HEAD"] as const;

/** RFC 1122, 3.2.1.3 and RFC 4291, 2.5.3; the mapped form is read as IPv4. */
const LOOPBACK: readonly Prefix[] = ["127.0.0.0/8", "::1/128"].flatMap((text) => parsePrefix(text) ?? []);

interface Asked {
  readonly request: Request;
  readonly server: Parameters<typeof serve>[2];
}

/** What proxies add. Nobody who asks on this machine sends any, and nobody from elsewhere gains by adding one. */
const FORWARDING = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "forwarded",
  "via",
] as const;

/**
 * `/metrics`, for who runs the service: with the token from anywhere; where none is set, from this machine, and for
 * everybody else the path is none. Costs nobody a lookup, and no page of another site may read it.
 */
export function metricsRoutes(deps: HttpDeps): AnyElysia {
  const { metrics } = deps;
  deps.watch?.route(PATH);

  const show: Handler = async ({ request: { method, headers } }) => {
    if (metrics === undefined) return deny();
    if (metrics.token !== undefined && !isToken(headers.get("authorization"), metrics.token))
      throw new HttpProblem("unauthorized");
    if (!METHODS.some((known) => known === method))
      throw new HttpProblem("method_not_allowed", { allow: METHODS });
    const body = createBody(metrics.contentType, await metrics.write());
    return createReply({ status: 200, body, keeping: "no-store", shared: false });
  };
  const answer = ({ request, server }: Asked) =>
    metrics !== undefined && isFound(metrics, request.headers, findPeer(deps, request, server))
      ? serve(deps, request, server, show, "private", PATH)
      : serve(deps, request, server, deny, "unknown");
  return new Elysia({ name: "routes/metrics" }).head(PATH, answer).all(PATH, answer, { parse: "none" });
}

function deny(): never {
  throw new HttpProblem("not_found");
}

/** Without a token: the peer counts and never what a header says of it, and no proxy may have stood between. */
function isFound({ token }: MetricsPort, headers: Headers, peer: string | undefined): boolean {
  if (token !== undefined) return true;
  const address = peer === undefined ? undefined : parseAddress(peer);
  const isHere = address !== undefined && LOOPBACK.some((prefix) => isWithin(address, prefix));
  return isHere && !FORWARDING.some((name) => headers.has(name));
}

/** Compared as hashes, so that neither its letters nor its length show in the time it takes. */
function isToken(authorization: string | null, token: string): boolean {
  const given = /^bearer +([\x21-\x7e]{1,1024})$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(hash(given), hash(token));
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
