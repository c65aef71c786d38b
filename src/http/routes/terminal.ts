import * as v from "valibot";
import type { HttpContext } from "../context.ts";
import { answerReport } from "../lookup.ts";
import { choice, ip, lang, type ReportFormat, refresh } from "../parameters.ts";
import { inBothLanguages } from "../paths.ts";
import { createRoutes } from "../plugins/request_context.ts";
import type { ReportReplies } from "../report_replies.ts";
import { problems, text } from "../responses.ts";

/** The whole report without colour is the text report. */
function chooseFormat(isFull: boolean, hasColour: boolean): Exclude<ReportFormat, "page" | "json"> {
  if (isFull) return hasColour ? "colour" : "text";
  return hasColour ? "colour_screen" : "screen";
}

/** `/cli/{ip}` and `/en/cli/{ip}`: the report for terminals on one screen or whole, or one line for programs. */
export function terminalRoute(context: HttpContext, replies: ReportReplies) {
  return inBothLanguages(({ prefix, name, suffix }) =>
    createRoutes().get(
      `${prefix}/cli/:ip`,
      async ({ params, query, requestContext }) =>
        answerReport(context, replies, requestContext, {
          address: params.ip,
          refresh: query.refresh !== undefined,
          format: query.format ?? chooseFormat(query.full === "1", query.color !== "0"),
        }),
      {
        params: v.object({ ip }),
        query: v.object({
          refresh,
          lang,
          color: choice(["0", "1"], "`0` sends no escape sequences; without it the report is coloured."),
          full: choice(["1"], "The whole report instead of the part that fits one screen."),
          format: choice(
            ["line"],
            "One line of ASCII in a fixed order: purity, band, usage type, native type, country, flags, confidence, address.",
          ),
        }),
        response: {
          200: text("The report.", { headers: ["Last-Modified"], examples: ["line_bad"] }),
          ...problems("survey", "text"),
        },
        detail: {
          operationId: `getTerminalReport${suffix}`,
          summary: `Report for terminals, or in one line, ${name}`,
          description:
            "One screen: at most 40 lines of 72 columns, in the 16 colours that every terminal has. With `full=1` the whole report; with `full=1` and `color=0` it is the plain text report. With `format=line` it is one line of ASCII for programs, the same in both languages: no field is ever missing, the order stays, new fields are added at the end. Errors start with their code.",
          tags: ["Reports"],
          security: [{}, { pass: [] }],
        },
      },
    ),
  );
}
