import * as v from "valibot";
import { answerReport } from "../answer_report.ts";
import type { HttpContext } from "../context.ts";
import { fields, ip, lang, refresh, sources } from "../parameters.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { WholeOrPartSchema } from "../report_formats.ts";
import type { ReportReplies } from "../report_replies.ts";
import { json, operation, problems } from "../responses.ts";

/** The query of `/api/lookup`. llms.txt lists it too. */
export const LookupQuery = v.object({ ip, refresh, lang, fields, sources });

/** `/api/lookup` */
export function lookupRoute(path: string, context: HttpContext, replies: ReportReplies) {
  return createRoutes().get(
    path,
    async ({ query, requestContext }) =>
      answerReport(context, replies, requestContext, {
        address: query.ip,
        refresh: query.refresh !== undefined,
        format: "json",
        part: query,
      }),
    {
      query: LookupQuery,
      response: {
        200: json("The report.", WholeOrPartSchema, {
          headers: ["Last-Modified"],
          examples: ["clean_zh", "bad_zh", "clean_en", "bad_en"],
        }),
        ...problems("survey", "json"),
      },
      detail: operation("lookUp"),
    },
  );
}
