import { type Address, isBogon } from "#address";
import type { Answer, LookupRequest, LookupResult } from "#lookup";
import { reportUrlOf, type ShownChange } from "#render";
import { type Assessment, type Language, readPolicyFacts } from "#report";
import { parseWatchBody } from "#watch";
import type { HttpContext, Reports } from "./context.ts";
import type { Candidate } from "./parameters.ts";
import { explainFailure } from "./plugins/errors.ts";
import {
  contactOf,
  noteLimit,
  refundLookup,
  showAllowance,
  showLookups,
  takeLookup,
} from "./plugins/limits.ts";
import type { RequestContext } from "./plugins/request_context.ts";
import { HttpProblem, mirrorNotFound, type Refusal, refuseWith } from "./problem.ts";
import type { Reply } from "./reply.ts";
import { isPart, type ReportFormat, type ReportSelection } from "./report_formats.ts";
import { type ReportContent, type ReportReplies, replyReportPart } from "./report_replies.ts";

/** Retry-After of a refusal that has no time of its own. */
const RETRY_AFTER_MS = 60_000;

/** What a request asks the lookup for. */
export type Wanted = Pick<LookupRequest, "address" | "refresh" | "watch">;

/** The statuses of a lookup without an answer. */
export type LookupRefusal = Refusal<403 | 404 | 429 | 503>;

/** A lookup of a request: the answer, or the refusal to return. */
export type LookupOutcome =
  | { readonly answer: Answer; readonly refusal?: never }
  | { readonly refusal: LookupRefusal; readonly answer?: never };

/**
 * Answers every request for a report: charges a lookup, looks the address up, renders the report in one language and
 * one format. `part` selects fields of a JSON report.
 */
export async function answerReport<F extends ReportFormat>(
  context: HttpContext,
  replies: ReportReplies,
  requestContext: RequestContext,
  { format, part, ...wanted }: Wanted & { readonly format: F; readonly part?: ReportSelection },
): Promise<Reply<ReportContent<F>> | LookupRefusal> {
  const { answer, refusal } = await lookUp(context, requestContext, wanted);
  if (refusal !== undefined) return refusal;
  if (part !== undefined && isPart(part)) {
    const reply = replyReportPart(context, answer, requestContext.language, part);
    // Only a JSON report has parts; the compiler cannot derive this from the format.
    return reply as Reply as Reply<ReportContent<F>>;
  }
  const own = requestContext.client.address?.text === answer.assessment.address;
  const changes =
    format === "page" ? await readChanges(context, requestContext, answer.assessment) : undefined;
  return replies(answer, {
    language: requestContext.language,
    format,
    own,
    operator: requestContext.client.exempt,
    ...(changes === undefined ? {} : { changes }),
  });
}

/** Changes on the page of a watched address. */
const MAX_CHANGES = 50;

/** The changes of a watched address, for the operator. Undefined for everyone else, and for an address without any. */
async function readChanges(
  { watched, log }: HttpContext,
  { client }: RequestContext,
  { address }: Assessment,
): Promise<readonly ShownChange[] | undefined> {
  if (watched === undefined || !client.exempt) return undefined;
  try {
    const changes = (await watched.readEvents(MAX_CHANGES, address)).flatMap((event) => {
      const body = parseWatchBody(event);
      return body === undefined ? [] : [{ at: body.timestamp, type: body.type, ...body.data }];
    });
    return changes.length === 0 ? undefined : changes;
  } catch (error) {
    log("error", "changes_unreadable", { message: String(error) });
    return undefined;
  }
}

/** Looks an address up. Notes the client's limits and allowance for the headers, also if there is no answer. */
export async function lookUp(
  context: HttpContext,
  requestContext: RequestContext,
  wanted: Wanted,
): Promise<LookupOutcome> {
  try {
    return await lookUpCharged(context, requestContext, wanted, requestContext.request.signal);
  } finally {
    await showAllowance(context, requestContext);
  }
}

/**
 * Charges one of the client's lookups and looks the address up. Refunds the lookup if there is no answer.
 * Rejects only when `signal` aborts, or with a failure of the lookup.
 */
export async function lookUpCharged(
  context: HttpContext,
  requestContext: RequestContext,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<LookupOutcome> {
  const takenAt = context.now();
  const limited = takeLookup(context, requestContext, takenAt);
  if (limited !== undefined) return { refusal: limited };
  const known = wanted.refresh ? undefined : context.findKnownSync?.(wanted.address);
  if (known !== undefined) return { answer: known };
  const { client, language, request } = requestContext;
  const pass = context.passes.read(request.headers.get("cookie"));
  const refused = refuseRefresh(context, wanted, {
    isAllowed: pass !== undefined || client.exempt,
    language,
  });
  const result =
    refused ??
    (await context.lookup({ ...wanted, client, ...(pass === undefined ? {} : { passId: pass.id }) }, signal));
  if (!(result instanceof HttpProblem)) {
    for (const limit of result.limits) noteLimit(requestContext, limit);
    if (result.kind === "answer") return { answer: result.answer };
  }
  refundLookup(context, requestContext, takenAt);
  const problem = result instanceof HttpProblem ? result : explainRefusal(context, wanted, language, result);
  return { refusal: refuseWith(problem) };
}

/**
 * Refuses a refresh on a mirror, and on a full service for a client that may not refresh. Special-purpose addresses are
 * never refused: no source is queried about them.
 */
function refuseRefresh(
  { mirror, baseUrl }: HttpContext,
  { address, refresh }: Wanted,
  { isAllowed, language }: { readonly isAllowed: boolean; readonly language: Language },
): HttpProblem | undefined {
  if (!refresh || isBogon(address)) return undefined;
  if (mirror !== undefined)
    return mirrorNotFound(mirror, language, { reason: "refresh", address: address.text });
  if (isAllowed) return undefined;
  return refreshUnverified(baseUrl, address, language);
}

function refreshUnverified(baseUrl: string, address: Address, language: Language): HttpProblem {
  return new HttpProblem("verification_required", {
    data: { reason: "refresh" },
    reportUrl: `${reportUrlOf(baseUrl, address.text, language)}?refresh=1`,
    verification: { address: address.text, action: "refresh" },
  });
}

function explainRefusal(
  context: HttpContext,
  { address, refresh }: Wanted,
  language: Language,
  result: Exclude<LookupResult, { readonly kind: "answer" }>,
): HttpProblem {
  const { mirror, baseUrl } = context;
  if (result.kind === "not_in_mirror") return mirrorNotFound(mirror, language, { address: address.text });
  if (result.kind === "overloaded")
    return new HttpProblem("overloaded", { retryAfterMs: result.retryAfterMs });
  const { code, reason, limit, retryAfterMs = RETRY_AFTER_MS } = result.refusal;
  const data = { reason, limit, ...contactOf(context) };
  const verification = { address: address.text, action: "lookup" } as const;
  // A page offers the check, because verified visitors need no place among the unverified ones.
  if (code === "open_rate_limited") return new HttpProblem(code, { data, retryAfterMs, verification });
  if (code !== "verification_required") return new HttpProblem(code, { data, retryAfterMs });
  if (refresh) return refreshUnverified(baseUrl, address, language);
  return new HttpProblem(code, {
    data,
    reportUrl: reportUrlOf(baseUrl, address.text, language),
    verification,
  });
}

/** The result for one candidate. */
export type Compared =
  | { readonly asked: string; readonly answer: Answer }
  | { readonly asked: string; readonly problem: HttpProblem };

/**
 * Looks candidates up at the same time. Each costs one lookup, and allowance if its address is unknown. A refused
 * candidate does not affect the others.
 */
export async function compareAddresses(
  context: HttpContext,
  requestContext: RequestContext,
  candidates: readonly Candidate[],
): Promise<readonly Compared[]> {
  // Each candidate has its own list of limits. In a shared list, a refund of one would hide the charges of the others.
  const own = candidates.map((): RequestContext => ({ ...requestContext, limits: [] }));
  try {
    return await Promise.all(
      candidates.map((candidate, index) => lookUpCandidate(context, own[index] ?? requestContext, candidate)),
    );
  } finally {
    noteLeast(requestContext, own);
    showLookups(context, requestContext);
    await showAllowance(context, requestContext);
  }
}

/** Rejects only if the client disconnects. */
async function lookUpCandidate(
  context: HttpContext,
  requestContext: RequestContext,
  { asked, address }: Candidate,
): Promise<Compared> {
  const { signal } = requestContext.request;
  try {
    if (address === undefined) {
      const refused = takeLookup(context, requestContext);
      return {
        asked,
        problem: refused?.response ?? new HttpProblem("invalid_ip", { data: { input: asked } }),
      };
    }
    const { answer, refusal } = await lookUpCharged(
      context,
      requestContext,
      { address, refresh: false },
      signal,
    );
    return refusal === undefined ? { asked, answer } : { asked, problem: refusal.response };
  } catch (error) {
    if (signal.aborted) throw error;
    return { asked, problem: explainFailure(context, requestContext, error) };
  }
}

/** Notes the state of each limit; if a limit applied to several candidates, the state with the lowest rest. */
function noteLeast(requestContext: RequestContext, own: readonly RequestContext[]): void {
  for (const limit of own.flatMap(({ limits }) => limits)) {
    const known = requestContext.limits.find(({ policy }) => policy === limit.policy);
    if (known === undefined || limit.remaining <= known.remaining) noteLimit(requestContext, limit);
  }
}

/** What a policy judges of an answer. If the service asks live sources, an answer without any of them proves nothing. */
export function toVisitor({ live }: Pick<Reports, "live">, { assessment, liveAnswers }: Answer) {
  return {
    assessment: { ...assessment, ...readPolicyFacts(assessment) },
    isProven: !live || liveAnswers > 0,
  };
}
