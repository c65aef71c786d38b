import { renderCheckPage, renderProblemPage, reportPathOf, wrapText } from "#render";
import type { Problem } from "#report";
import type { VerificationSubject } from "#verification";
import type { Clients, Format } from "./context.ts";
import { languagePaths } from "./paths.ts";
import type { RequestContext } from "./plugins/request_context.ts";
import { policyOfVerification } from "./plugins/security_headers.ts";
import { describeProblem, type HttpProblem, languagesOf, retryAfterSeconds } from "./problem.ts";
import { jsonReply, pageReply, type Reply, textReply } from "./reply.ts";

/** The WWW-Authenticate header of `/metrics`, the only path with a token (RFC 6750, 3). */
const BEARER = 'Bearer realm="metrics"';

/**
 * Writes a problem in the language and format of the request. A page shows the verification if one solves the problem.
 */
export function replyProblem(
  context: Pick<Clients, "verification">,
  requestContext: Pick<RequestContext, "language" | "path" | "query">,
  problem: HttpProblem,
  { format, shared }: { readonly format: Format; readonly shared: boolean },
): Reply {
  const described = describeProblem(problem, requestContext.language);
  const languages = languagesOf(problem, requestContext.language);
  const options = { cacheControl: "no-store", shared, languages, headers: headersOf(problem) } as const;
  if (format === "json") return jsonReply(described, options);
  if (format === "text") return textReply(formatProblem(described), options);
  const { verification } = problem.details;
  if (verification !== undefined)
    return replyVerificationPage(context, requestContext, { problem, described, verification });
  const seconds = retryAfterSeconds(problem);
  const path = languagePaths(requestContext);
  const input = problem.details.data?.input;
  const page = renderProblemPage(described, problem.status, requestContext.language, {
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    ...(path === undefined ? {} : { path }),
    ...(typeof input === "string" ? { typed: input } : {}),
  });
  return pageReply(page, options);
}

function replyVerificationPage(
  context: Pick<Clients, "verification">,
  { language }: Pick<RequestContext, "language">,
  {
    problem,
    described,
    verification,
  }: {
    readonly problem: HttpProblem;
    readonly described: Problem;
    readonly verification: VerificationSubject;
  },
): Reply {
  const { address, action } = verification;
  const reason = problem.details.data?.reason;
  const seconds = retryAfterSeconds(problem);
  const page = renderCheckPage({
    ip: address,
    action,
    language,
    // Who does not pass the check can wait.
    sentence: seconds === undefined ? described.error : `${described.error} ${described.hint ?? ""}`,
    hint: described.hint ?? "",
    provider: context.verification.describeWidget(verification),
    reportPath: reportPathOf(address, language),
    ...(typeof reason === "string" ? { problemReason: reason } : {}),
  });
  const policy = policyOfVerification(context.verification.kind);
  return pageReply(page, {
    cacheControl: "no-store",
    policy,
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

/** A problem as text: the code and the sentences in lines of 72 columns, then the URL in a line of its own. */
function formatProblem({ error, code, hint = "", reportUrl }: Problem): string {
  const lines = wrapText(`${code}: ${error} ${hint}`.replace(/\s+/g, " ").trim(), TEXT_COLUMNS);
  return `${[...lines, ...(reportUrl === undefined ? [] : [reportUrl])].join("\n")}\n`;
}
