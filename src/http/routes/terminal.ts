import * as v from "valibot";
import type { HttpContext } from "../context.ts";
import { answerReport } from "../lookup.ts";
import { choice, ip, lang, refresh } from "../parameters.ts";
import { inBothLanguages } from "../paths.ts";
import { createRoutes } from "../plugins/request_context.ts";
import type { ReportReplies } from "../report_replies.ts";
import { problems, text } from "../responses.ts";

/** `/cli/{ip}` and `/en/cli/{ip}`: the report for terminals, or one line for programs. */
export function terminalRoute(context: HttpContext, replies: ReportReplies) {
  return inBothLanguages(({ prefix, name, suffix }) =>
    createRoutes().get(
      `${prefix}/cli/:ip`,
      async ({ params, query, requestContext }) =>
        answerReport(context, replies, requestContext, {
          address: params.ip,
          refresh: query.refresh !== undefined,
          // Without colour, the output equals the text report.
          format: query.format ?? (query.color === "0" ? "text" : "colour"),
        }),
      {
        params: v.object({ ip }),
        query: v.object({
          refresh,
          lang,
          color: choice(["0", "1"], "`0` sends no escape sequences; without it the report is coloured."),
          format: choice(
            ["line"],
            "One line of ASCII in a fixed order: purity, band, usage type, native type, country, flags, confidence.",
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
            "72 columns in the 16 colours that every terminal has; with `color=0` it is the plain text report. With `format=line` it is one line of ASCII for programs, the same in both languages: no field is ever missing, the order stays, new fields are added at the end. Errors are one line.",
          tags: ["Reports"],
          security: [{}, { pass: [] }],
        },
      },
    ),
  );
}
