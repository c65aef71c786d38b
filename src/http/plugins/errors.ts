import { NotFoundError, ValidationError } from "elysia";
import * as v from "valibot";
import { parseAddress } from "#address";
import { plainTextsOf } from "#locale";
import { networkPathOf, reportPathOf, terminalUrlOf } from "#render";
import type { Data } from "#report";
import type { HttpContext } from "../context.ts";
import { RpcError, replyRpcError } from "../mcp/message.ts";
import { findDeclared } from "../parameters.ts";
import { HttpProblem } from "../problem.ts";
import { addQuery, emptyReply, type Reply, textReply } from "../reply.ts";
import type { RouteFacts, RouteTable } from "../route_table.ts";
import { prefersPage, prefersText } from "./headers.ts";
import { showAllowance, takeLookup } from "./limits.ts";
import { ClientLeftError, collectParameters, type RequestContext } from "./request_context.ts";
import { chooseFormat, countRequest, send, sendAnswer } from "./send.ts";

/** The status in the metrics of a request whose client disconnected. It is never sent. */
const CLIENT_LEFT = 499;

/**
 * Answers a request that threw, or that has no route. The client gets the facts of an {@link HttpProblem}. Any other
 * error goes to the log, and the client gets the request id. `route`: the pattern that the router matched.
 */
export async function answerError(
  context: HttpContext,
  requestContext: RequestContext,
  { table, route }: { readonly table: RouteTable; readonly route: string | undefined },
  error: unknown,
): Promise<Response> {
  const facts =
    (route === undefined ? undefined : table.get(route)) ??
    table.match(requestContext.path) ??
    unmatched(table, requestContext);
  // Elysia wraps an error that reading a body threw.
  const isWrapped = error instanceof Error && "code" in error && error.code === "PARSE";
  const cause = isWrapped ? error.cause : error;
  const hasLeft = requestContext.request.signal.aborted || cause instanceof ClientLeftError;
  if (hasLeft && !(cause instanceof HttpProblem)) {
    countRequest(context, requestContext, facts, CLIENT_LEFT);
    return new Response(null, { status: CLIENT_LEFT });
  }
  if (facts.route === "unmatched" && cause instanceof NotFoundError) {
    const familiar = await answerFamiliar(context, requestContext, table);
    if (familiar !== undefined) return familiar;
  }
  const [answer, status] = await toAnswer(context, requestContext, { table, facts }, cause);
  return send(context, requestContext, facts, answer, status);
}

async function toAnswer(
  context: HttpContext,
  requestContext: RequestContext,
  { table, facts }: { readonly table: RouteTable; readonly facts: RouteFacts },
  error: unknown,
): Promise<readonly [Reply | HttpProblem, number?]> {
  if (error instanceof NotFoundError) {
    return table.match(requestContext.path) === undefined
      ? answerUnmatched(context, table, requestContext)
      : answerOtherMethod(facts, requestContext);
  }
  if (error instanceof HttpProblem) return [error];
  if (error instanceof RpcError) return [replyRpcError(error), error.status];
  if (error instanceof ValidationError && error.type !== "response") {
    const invalid = describeInvalid(error);
    if (facts.explainInvalid !== undefined) return facts.explainInvalid(invalid);
    return [await chargeInvalid(context, requestContext, facts, invalid)];
  }
  return [explainFailure(context, requestContext, error)];
}

/** Returns the problem for a thrown value. A value that is not a problem goes to the log. */
export function explainFailure(
  { log }: Pick<HttpContext, "log">,
  { id }: Pick<RequestContext, "id">,
  error: unknown,
): HttpProblem {
  if (error instanceof HttpProblem) return error;
  const described =
    error instanceof Error
      ? { name: error.name, message: error.message, stack: error.stack }
      : { message: String(error) };
  log("error", "request_failed", { requestId: id, ...described });
  return new HttpProblem("internal", { data: { requestId: id } });
}

/** An invalid request costs a lookup too, unless it was already charged. */
async function chargeInvalid(
  context: HttpContext,
  requestContext: RequestContext,
  { cost }: RouteFacts,
  invalid: HttpProblem,
): Promise<HttpProblem> {
  if (cost === "nothing") return invalid;
  const isCharged = requestContext.limits.some(({ policy }) => policy === "lookup");
  const refused = isCharged ? undefined : takeLookup(context, requestContext);
  if (cost === "survey") await showAllowance(context, requestContext);
  return refused?.response ?? invalid;
}

/** The problem of a request that does not match the schemas of its route: the first wrong parameter. */
function describeInvalid({ type, validator, valueError }: ValidationError): HttpProblem {
  // Elysia keeps the valibot schema of the route and the first issue of valibot, under types of its own.
  const { schema } = validator as unknown as { readonly schema: v.ObjectSchema<v.ObjectEntries, undefined> };
  const issue = valueError as v.BaseIssue<unknown> | undefined;
  const place = type === "params" ? "path" : type === "query" ? "query" : "body";
  return describeIssue(schema.entries, issue, place);
}

/** The problem of a value that does not match its schema; `place` = where the client gave it. */
export function describeIssue(
  entries: v.ObjectEntries,
  issue: v.BaseIssue<unknown> | undefined,
  place: "query" | "path" | "body" | "argument",
): HttpProblem {
  const parameter = String(issue?.path?.[0]?.key ?? "");
  const given: unknown = issue?.path?.[0]?.value;
  const facts = { parameter, ...(place === "argument" ? { isArgument: true } : {}) };
  const invalid = (data: Data) => new HttpProblem("invalid_parameter", { data: { ...data, ...facts } });
  const entry = Object.hasOwn(entries, parameter) ? unwrap(entries[parameter]) : undefined;
  if (entry === undefined) return invalid({ allowed: place === "argument" ? Object.keys(entries) : [] });
  if (Array.isArray(given) && place === "query") return invalid({});
  const declared = findDeclared(entry, "problem");
  if (given === undefined) return invalid({ reason: "missing", ...declared?.data });
  if (declared?.code === "invalid_ip") {
    const { input } = issue ?? {};
    return new HttpProblem(
      "invalid_ip",
      typeof input === "string" && input !== "" ? { data: { input } } : {},
    );
  }
  // A part of a path may be any text, so what does not match is a percent escape that stands for no text.
  if (place === "path") return invalid({ reason: "path" });
  if (declared !== undefined) return invalid(declared.data ?? {});
  const value = place === "query" ? { value: typeof given === "string" ? given : "" } : {};
  return invalid({ ...value, allowed: listChoices(entry) });
}

function unwrap(schema: v.ObjectEntries[string] | undefined): v.GenericSchema | undefined {
  const inner = schema !== undefined && "wrapped" in schema ? schema.wrapped : schema;
  // The schemas of parameters are synchronous.
  return inner as v.GenericSchema;
}

/** Lists the allowed values of a parameter, or its range; empty if it has neither. */
function listChoices(schema: v.GenericSchema): readonly string[] {
  if ("options" in schema && Array.isArray(schema.options)) return schema.options.map(String);
  const words = findDeclared(schema, "words");
  if (words !== undefined) return words;
  const described = findDeclared(schema, "jsonSchema");
  return described === undefined ? [] : [`${described.minimum}-${described.maximum}`];
}

/** Answers OPTIONS (also the CORS preflight of the Fetch standard), and refuses methods that a path does not have. */
function answerOtherMethod(
  { methods, format, access }: RouteFacts,
  requestContext: RequestContext,
): readonly [Reply | HttpProblem, number?] {
  const isRead = methods.includes("GET");
  const allow = isRead ? ["GET", "HEAD", "OPTIONS"] : [...methods, "OPTIONS"];
  if (requestContext.request.method !== "OPTIONS") return [new HttpProblem("method_not_allowed", { allow })];
  const shared = access === "shared" && chooseFormat(format, requestContext) !== "page";
  const list = allow.join(", ");
  const cors = {
    "access-control-allow-methods": list,
    "access-control-allow-headers": "*",
    "access-control-max-age": "86400",
  };
  return [emptyReply({ shared, headers: { allow: list, ...(shared ? cors : {}) } }), 204];
}

function canBePage(format: RouteFacts["format"]): boolean {
  return typeof format === "string" ? format === "page" : format.formats.includes("page");
}

/** Returns the facts for a request that matches no route. Browsers get its errors as pages. */
function unmatched(table: RouteTable, { path, request }: RequestContext): RouteFacts {
  const folder = table.matchFolder(path);
  const usual = NEAR_ADDRESS.test(path) && prefersText(request.headers) ? "text" : "json";
  const format = prefersPage(request.headers) ? "page" : (folder?.format ?? usual);
  return { route: "unmatched", methods: ["GET"], format, cost: "nothing", access: "shared" };
}

/** `/ADDRESS` with a text that is written like an address and is none: a wrong part, a part too many or too few, a port. */
const NEAR_ADDRESS =
  /^(?:\/en)?\/(\d+(?:\.\d+){2,9}\.?(?::\d*)?|\[?[\da-f]*(?::[\da-f.]*){2,20}\]?(?::\d*)?)$/i;

/** Characters of a path with an address in it, in any spelling. */
const PLAIN_PATH = /^[\w./:%[\]-]{1,80}$/;

/**
 * Paths that people know from other services: `/ADDRESS` for the report, `/json/ADDRESS` for its JSON; with a prefix in
 * place of the address, for what is known of it. Undefined for any other path. In a terminal the report is the terminal report.
 */
function findFamiliar(path: string, isTerminal: boolean): string | undefined {
  const [, english, folder, name = "", length] =
    /^(\/en)?(\/json|\/ip|\/cli)?\/([\w.:[\]%]{2,60})(\/\d{1,3})?$/.exec(path) ?? [];
  const address = parseAddress(name.replaceAll(/%5b|%5d|%3a/gi, decodeURIComponent));
  if (address === undefined) return undefined;
  const language = english === undefined ? "zh" : "en";
  const suffix = folder === "/json" ? ".json" : "";
  if (length !== undefined) return networkPathOf(address.text + length, language, suffix);
  const report = reportPathOf(address.text, language, suffix);
  return isTerminal && suffix === "" ? terminalUrlOf(report) : report;
}

/** Answers `/ADDRESS` with the terminal report for programs that print what they receive. Undefined for other requests. */
async function answerFamiliar(
  context: HttpContext,
  requestContext: RequestContext,
  table: RouteTable,
): Promise<Response | undefined> {
  const { path, query, request } = requestContext;
  if (!prefersText(request.headers) || !isReading(request)) return undefined;
  const target = findFamiliar(path, true) ?? "";
  const facts = target.includes("/cli/") ? table.match(target) : undefined;
  if (facts?.handle === undefined || facts.query === undefined) return undefined;
  const ip = parseAddress(target.slice(target.lastIndexOf("/") + 1));
  try {
    const parsed = v.safeParse(facts.query, collectParameters(query));
    if (!parsed.success) {
      const invalid = describeIssue(facts.query.entries, parsed.issues[0], "query");
      throw await chargeInvalid(context, requestContext, facts, invalid);
    }
    const answer = await facts.handle({ params: { ip }, query: parsed.output, requestContext });
    const response = sendAnswer(context, requestContext, facts, answer);
    response.headers.append("vary", "Accept, User-Agent");
    return response;
  } catch (error) {
    return answerError(context, requestContext, { table, route: facts.route }, error);
  }
}

function isReading({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Redirects familiar paths, and a page or a lookup with an extra slash at its end, which people and some proxies add; else
 * 404. Programs that print what they receive get the command that follows the redirect.
 */
function answerUnmatched(
  { baseUrl }: Pick<HttpContext, "baseUrl">,
  table: RouteTable,
  { path, request, language }: RequestContext,
): readonly [Reply | HttpProblem, number?] {
  const isTerminal = prefersText(request.headers);
  const redirectTo = (target: string, shared: boolean): readonly [Reply, 308] => {
    const location = addQuery(target, request);
    const options = { shared, headers: { location, vary: "Accept, User-Agent" } };
    if (!isTerminal) return [emptyReply(options), 308];
    const command = plainTextsOf(language).moved(baseUrl + location);
    return [textReply(`${command}\n`, { ...options, cacheControl: "no-store" }), 308];
  };
  const known = findFamiliar(path, isTerminal);
  if (known !== undefined) return redirectTo(known, path.includes("/json/"));
  const bare = path.endsWith("/") ? path.slice(0, -1) : "";
  const facts = bare !== "/" && PLAIN_PATH.test(bare) ? table.match(bare) : undefined;
  // A path that looks unmatched must not show by a redirect that it exists.
  const isRead =
    facts?.methods.includes("GET") === true &&
    facts.access !== "hidden" &&
    (facts.cost !== "nothing" || canBePage(facts.format)) &&
    isReading(request);
  const input = NEAR_ADDRESS.exec(path)?.[1];
  if (input !== undefined) return [new HttpProblem("invalid_ip", { data: { input } })];
  if (!isRead) return [new HttpProblem("not_found")];
  return redirectTo(bare, facts.access === "shared" && facts.format !== "page");
}
