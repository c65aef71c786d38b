import { Elysia } from "elysia";
import type { Address } from "#address";
import { type Client, type LimitState, readClient } from "#limits";
import type { Language } from "#report";
import type { Clients, Operation } from "../context.ts";
import { ME, type Subject } from "../parameters.ts";
import { HttpProblem } from "../problem.ts";

/** The parsed parts of a URL, the same for every request with this URL. */
export interface Target {
  /** As sent, not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly language: Language;
}

/** What is known of a request before its route runs. */
export interface RequestContext extends Target {
  readonly id: string;
  readonly request: Request;
  readonly client: Client;
  /** Start of the request by the clock of the metrics, in milliseconds. */
  readonly startedAt: number;
  /** The state of each limit that applied, for the RateLimit headers. */
  readonly limits: LimitState[];
  /** Open lookups that the client has left today. Set by routes that can start a survey. */
  openLeft?: number;
  /** Pattern of the route that answers, where it is not the one that Elysia matched. */
  route?: string;
  /** Whether scripts of other sites may not read the answer. */
  isPrivate?: boolean;
}

/** Finds the peer address of a connection. Bun's server implements it. */
export interface Peers {
  requestIP(request: Request): { readonly address: string } | null;
}

/** Longest path and query; the longest valid one has less than 200 characters. */
export const MAX_TARGET_LENGTH = 2048;

/** The path that reads bodies of any length. */
const CLASSIFY_PATH = "/api/classify";

/** Largest body of a request; routes that read one have lower limits of their own. */
export const MAX_BODY_BYTES = 65_536;

const NO_QUERY = new URLSearchParams();

/** Creates the context of a request. Pass `target` if the URL was parsed before. */
export function createRequestContext(
  context: Pick<Clients, "clientRules" | "peer"> & Pick<Operation, "newRequestId" | "watch">,
  request: Request,
  server: Peers | null,
  target: Target = readTarget(request.url),
): RequestContext {
  const { path, query, language } = target;
  return {
    id: context.newRequestId(),
    request,
    path,
    query,
    language,
    client: readClient(request.headers, findPeer(context, request, server), context.clientRules),
    startedAt: context.watch?.clock() ?? 0,
    limits: [],
  };
}

/**
 * Collects the parameters of a query as the WHATWG URL standard reads them: Elysia splits values at commas and parses
 * JSON in them when a schema is a Standard Schema. A repeated parameter becomes a list, which every schema here refuses.
 */
export function collectParameters(query: URLSearchParams): Record<string, string> {
  const collected: Record<string, string | string[] | undefined> = Object.create(null);
  for (const name of query.keys()) {
    const [value, ...more] = query.getAll(name);
    collected[name] = more.length === 0 ? value : [String(value), ...more];
  }
  // Elysia's type has no lists; the schemas of the routes decide what is accepted.
  return collected as Record<string, string>;
}

function readTarget(url: string): Target {
  const mark = url.indexOf("?");
  const path = mark < 0 ? url.slice(findPath(url)) : url.slice(findPath(url), mark);
  const text = url.slice(mark + 1);
  // `URLSearchParams` ignores a question mark at the start; in a query, it is part of the first name.
  const query = mark < 0 ? NO_QUERY : new URLSearchParams(text.startsWith("?") ? `&${text}` : text);
  // The `/en` prefix wins over the parameter `lang`; without both it is Chinese.
  const isEnglish = path.startsWith("/en/") || path === "/en" || query.get("lang") === "en";
  return { path, query, language: isEnglish ? "en" : "zh" };
}

/**
 * Checks the URL and the head of a request, before its route.
 * @throws {HttpProblem} `too_large` (414, 413), or `invalid_parameter` for several Host headers (RFC 9112, 3.2), which
 *   the runtime joins with commas.
 */
export function checkRequest({ request, path }: RequestContext): void {
  const { url, headers } = request;
  if (url.length - findPath(url) > MAX_TARGET_LENGTH) throw new HttpProblem("too_large");
  if (path !== CLASSIFY_PATH && !(Number(headers.get("content-length") ?? 0) <= MAX_BODY_BYTES))
    throw new HttpProblem("too_large", { status: 413 });
  if (headers.get("host")?.includes(",") === true)
    throw new HttpProblem("invalid_parameter", { data: { parameter: "Host", allowed: [] } });
}

/** Address of the TCP peer as the system writes it. */
export function findPeer(
  context: Pick<Clients, "peer">,
  request: Request,
  server: Peers | null,
): string | undefined {
  return context.peer?.(request) ?? server?.requestIP(request)?.address;
}

/** The client disconnected before its address was read. */
export class ClientLeftError extends Error {}

/**
 * The client's address.
 * @throws {ClientLeftError} when the connection has none any more.
 */
export function clientAddress({ client }: Pick<RequestContext, "client">): Address {
  if (client.address === undefined)
    throw new ClientLeftError("Cannot read the client's address: the connection has no peer address");
  return client.address;
}

/** The address that a request is about. */
export function resolveSubject(requestContext: RequestContext, subject: Subject): Address {
  return subject === ME ? clientAddress(requestContext) : subject;
}

/** Finds the index of the path in a URL with any host. */
function findPath(url: string): number {
  const scheme = url.indexOf("://");
  return scheme < 0 ? 0 : Math.max(url.indexOf("/", scheme + 3), 0);
}

// Set on every request before its route runs, so no handler sees this value.
const UNSET = undefined as unknown as RequestContext;

/**
 * An Elysia instance whose handlers receive `requestContext`; every route file starts with it. A GET handler uses no
 * other member than `params`, `query` and `requestContext`: a URL that was parsed before runs it with these alone. A
 * handler that returns a promise must be an async function: Elysia reads its source to decide whether to wait.
 */
export function createRoutes() {
  return new Elysia().decorate("requestContext", UNSET);
}
