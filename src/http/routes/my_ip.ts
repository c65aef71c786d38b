import * as v from "valibot";
import { OwnSummarySchema, summarizeOwn } from "#render";
import type { Site } from "../context.ts";
import type { FindOwn } from "../own_report.ts";
import { choice, described, lang, optional, titled } from "../parameters.ts";
import { clientAddress, createRoutes } from "../plugins/request_context.ts";
import { jsonReply, textReply } from "../reply.ts";
import { localizeAnswer } from "../report_replies.ts";
import { either, json, operation, problems, text } from "../responses.ts";

const MyIp = titled("MyIp", {
  ip: described(v.string(), "The address that this request came from, in canonical form."),
  report: optional(OwnSummarySchema, "With `report=brief`: what is known of the address without a survey."),
});

/** `/api/myip`: costs nothing, not even a lookup. */
export function myIpRoute(path: string, context: Site, findOwn: FindOwn) {
  return createRoutes()
    .model({ MyIp })
    .get(
      path,
      async ({ query, requestContext }) => {
        const own = clientAddress(requestContext);
        if (query.format === "text") return textReply(`${own.text}\n`);
        if (query.report === undefined) return jsonReply({ ip: own.text });
        const answer = await findOwn(own);
        const report = summarizeOwn(localizeAnswer(context, answer, requestContext.language));
        return jsonReply({ ip: own.text, report });
      },
      {
        query: v.object({
          format: choice(["text"], "The bare address and a newline instead of JSON."),
          report: choice(["brief"], "Adds what the database or else the local tables know of the address."),
          lang,
        }),
        response: {
          200: either(
            json("The caller's address.", MyIp, { example: { ip: "198.51.100.7" } }),
            text("The caller's address.", { example: "198.51.100.7\n" }),
          ),
          ...problems("nothing", "json", [400]),
        },
        detail: operation("getCallerAddress"),
      },
    );
}
