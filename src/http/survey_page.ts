import { type Address, isBogon } from "#address";
import { renderSurveyPage } from "#render";
import type { LookupRefusal } from "./answer_report.ts";
import type { HttpContext } from "./context.ts";
import { refundLookup, takeLookup } from "./plugins/limits.ts";
import type { RequestContext } from "./plugins/request_context.ts";
import { pageReply, type Reply } from "./reply.ts";

/**
 * Answers a browser that opens the page of an address without a report: with a page that shows the progress of the survey,
 * in place of seconds of silence. Undefined if the lookup itself is to answer: the address is known, or the client is no
 * browser or may not start a survey. The page costs a lookup, because it reads the database.
 */
export async function answerSurveyPage(
  context: HttpContext,
  requestContext: RequestContext,
  address: Address,
): Promise<Reply<"page"> | LookupRefusal | undefined> {
  const { request, language } = requestContext;
  if (!context.live || context.mirror !== undefined || isBogon(address) || !isNavigation(request.headers))
    return undefined;
  if (context.findKnownSync?.(address) !== undefined) return undefined;
  const takenAt = context.now();
  const limited = takeLookup(context, requestContext, takenAt);
  if (limited !== undefined) return limited;
  const isKnown = (await context.findKnown(address)) !== undefined;
  if (isKnown || !(await mayStart(context, requestContext))) {
    refundLookup(context, requestContext, takenAt);
    return undefined;
  }
  return pageReply(renderSurveyPage(address.text, language), {
    cacheControl: "no-store",
    languages: [language],
  });
}

/** Whether a client may start a survey without another check. */
async function mayStart(
  { passes, admissions }: HttpContext,
  { client, request }: RequestContext,
): Promise<boolean> {
  if (client.exempt || passes.read(request.headers.get("cookie")) !== undefined) return true;
  return (await admissions.remaining(client)) > 0;
}

/**
 * Whether a browser opens a page in a window (https://www.w3.org/TR/fetch-metadata/). Over plain HTTP it sends the older
 * header alone (https://www.w3.org/TR/upgrade-insecure-requests/#preference).
 */
function isNavigation(headers: Headers): boolean {
  return headers.get("sec-fetch-mode") === "navigate" || headers.get("upgrade-insecure-requests") === "1";
}
