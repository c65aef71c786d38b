import * as v from "valibot";
import { answerReport } from "../answer_report.ts";
import type { HttpContext } from "../context.ts";
import { choice, ipOrMe, lang, ME, refresh, type Subject } from "../parameters.ts";
import { createRoutes, type RequestContext, resolveSubject } from "../plugins/request_context.ts";
import type { ReportFormat } from "../report_formats.ts";
import type { ReportReplies } from "../report_replies.ts";
import { operation, problems, text } from "../responses.ts";

/** The whole report without colour is the text report. */
function chooseFormat(isFull: boolean, hasColour: boolean): Exclude<ReportFormat, "page" | "json"> {
  if (isFull) return hasColour ? "colour" : "text";
  return hasColour ? "colour_screen" : "screen";
}

const QUERY = v.object({
  refresh,
  lang,
  color: choice(["0", "1"], "`0` sends no escape sequences; without it the report is coloured."),
  full: choice(["1"], "The whole report instead of the part that fits one screen."),
  format: choice(
    ["line"],
    "One line of ASCII in a fixed order: purity, band, usage type, native type, country, flags, confidence, address.",
  ),
});

const RESPONSE = {
  200: text("The report.", { examples: ["line_bad"] }),
  ...problems("survey", "text"),
};

/** Answers the query about a subject. */
async function answerTerminal(
  context: HttpContext,
  replies: ReportReplies,
  requestContext: RequestContext,
  { subject, refresh: refreshed, full, color, format }: v.InferOutput<typeof QUERY> & { subject: Subject },
) {
  return answerReport(context, replies, requestContext, {
    address: resolveSubject(requestContext, subject),
    refresh: refreshed !== undefined,
    format: format ?? chooseFormat(full === "1", color !== "0"),
  });
}

/** `/cli/{ip}`: the report for terminals on one screen or whole, or one line for programs. `/cli/me` is the caller. */
export function terminalRoute(path: string, context: HttpContext, replies: ReportReplies) {
  return createRoutes().get(
    path,
    async ({ params, query, requestContext }) =>
      answerTerminal(context, replies, requestContext, { subject: params.ip, ...query }),
    {
      params: v.object({ ip: ipOrMe }),
      query: QUERY,
      response: RESPONSE,
      detail: operation("getTerminalReport"),
    },
  );
}

/** `/cli`: the same about the caller. */
export function ownTerminalRoute(path: string, context: HttpContext, replies: ReportReplies) {
  return createRoutes().get(
    path,
    async ({ query, requestContext }) =>
      answerTerminal(context, replies, requestContext, { subject: ME, ...query }),
    {
      query: QUERY,
      response: RESPONSE,
      detail: operation("getOwnTerminalReport"),
    },
  );
}
