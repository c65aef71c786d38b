import { ElysiaCustomStatusResponse } from "elysia";
import { renderCheckPage, renderProblemPage, reportPathOf, wrapText } from "#render";
import type { Language, Problem } from "#report";
import type { VerificationSubject } from "#verification";
import type { Clients, Format, Operation } from "../context.ts";
import { describeProblem, HttpProblem, languagesOf, retryAfterSeconds } from "../problem.ts";
import { jsonReply, pageReply, Reply, textReply } from "../reply.ts";
import type { HandlerAnswer, RouteFacts } from "../route_table.ts";
import { acceptsGzip, isCurrent, policyOfVerification } from "./headers.ts";
import { setLimitHeaders } from "./limits.ts";
import type { RequestContext } from "./request_context.ts";

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
  const response = sentStatus === 200 && isCurrent(headers, head) ? notModified(head) : createResponse();
  response.headers.set("x-request-id", requestContext.id);
  setLimitHeaders(response.headers, requestContext);
  countRequest(context, requestContext, facts, response.status, problem);
  return response;
}

/** Sends what the handler of a route returned. */
export function sendAnswer(
  context: Parameters<typeof send>[0],
  requestContext: RequestContext,
  facts: RouteFacts,
  answer: HandlerAnswer,
): Response {
  return answer instanceof ElysiaCustomStatusResponse
    ? send(context, requestContext, facts, answer.response, Number(answer.code))
    : send(context, requestContext, facts, answer);
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

/** The WWW-Authenticate header of `/metrics`, the only path with a token (RFC 6750, 3). */
const BEARER = 'Bearer realm="metrics"';

/** Writes a problem in the language and format of the request. A page shows the verification if that solves it. */
function replyProblem(
  context: Pick<Clients, "verification">,
  requestContext: Pick<RequestContext, "language" | "path" | "query">,
  problem: HttpProblem,
  { format, shared }: { readonly format: Format; readonly shared: boolean },
): Reply {
  const { language } = requestContext;
  const described = describeProblem(problem, language);
  const languages = languagesOf(problem, language);
  const options = { cacheControl: "no-store", shared, languages, headers: headersOf(problem) } as const;
  if (format === "json") return jsonReply(described, options);
  // In two languages the errors alone are long enough: they name the values of the parameter.
  if (format === "text")
    return textReply(formatProblem(languages.length > 1 ? { ...described, hint: "" } : described), options);
  const { verification } = problem.details;
  if (verification !== undefined) return replyVerificationPage(context, language, problem, verification);
  const { input, parameter, value } = problem.details.data ?? {};
  const typed = parameter === "prefix" ? value : input;
  const page = renderProblemPage(described, problem.status, language, {
    retryAfterSeconds: retryAfterSeconds(problem),
    path: languagePaths(requestContext),
    typed: typeof typed === "string" ? typed : undefined,
    requested: requestContext.path,
  });
  return pageReply(page, options);
}

function replyVerificationPage(
  { verification }: Pick<Clients, "verification">,
  language: Language,
  problem: HttpProblem,
  subject: VerificationSubject,
): Reply {
  const { address, action } = subject;
  const { error, hint = "" } = describeProblem(problem, language);
  const provider = verification.describeWidget(subject);
  const reason = problem.details.data?.reason;
  const page = renderCheckPage({
    ip: address,
    action,
    language,
    // Who does not pass the check can wait.
    sentence: retryAfterSeconds(problem) === undefined ? error : `${error} ${hint}`,
    hint,
    provider,
    reportPath: reportPathOf(address, language),
    ...(typeof reason === "string" ? { problemReason: reason } : {}),
  });
  return pageReply(page, {
    cacheControl: "no-store",
    policy: policyOfVerification(provider.kind),
    languages: [language],
    headers: headersOf(problem),
  });
}

function headersOf(problem: HttpProblem): Readonly<Record<string, string>> {
  const { allow, headers } = problem.details;
  const seconds = retryAfterSeconds(problem);
  return {
    ...headers,
    ...(seconds === undefined ? {} : { "retry-after": String(seconds) }),
    ...(allow === undefined ? {} : { allow: allow.join(", ") }),
    ...(problem.status === 401 ? { "www-authenticate": BEARER } : {}),
  };
}

const TEXT_COLUMNS = 72;

/** Between Chinese sentences there is no space. */
const BETWEEN_SENTENCES = /(?<=\u3002) (?=\p{Script=Han})/gu;

/** A problem as text: the code and the sentences in lines of 72 columns, then the URL in a line of its own. */
function formatProblem({ error, code, hint = "", reportUrl }: Problem): string {
  const lines = wrapText(
    `${code}: ${error} ${hint}`.replace(/\s+/g, " ").replaceAll(BETWEEN_SENTENCES, "").trim(),
    TEXT_COLUMNS,
  );
  return `${[...lines, ...(reportUrl === undefined ? [] : [reportUrl])].join("\n")}\n`;
}

/** Paths whose segments cannot point a link to another host or to a parent folder. */
const PLAIN = /^\/(?:[\w.~:%@,[\]-]+(?:\/[\w.~:%@,[\]-]+)*)?$/;

/** Longest path that becomes a link. */
const MAX_LINK_LENGTH = 1024;

/** The requested path in both languages, so that a page can link to the other one; undefined for an unusual path. */
export function languagePaths({
  path,
  query,
}: Pick<RequestContext, "path" | "query">): { readonly zh: string; readonly en: string } | undefined {
  const bare = path === "/en" ? "/" : path.replace(/^\/en(?=\/)/, "");
  if (!PLAIN.test(bare)) return undefined;
  const others = new URLSearchParams(query.toString());
  others.delete("lang");
  const rest = others.size === 0 ? "" : `?${others}`;
  if (bare.length + rest.length > MAX_LINK_LENGTH) return undefined;
  return { zh: bare + rest, en: (bare === "/" ? "/en" : `/en${bare}`) + rest };
}
