import * as v from "valibot";
import { isBogon } from "#address";
import { DAY_MS } from "#common";
import { averageRatings } from "#locale";
import { reportUrlOf } from "#render";
import { ReportSchema, SCENARIOS } from "#report";
import type { HttpContext } from "../context.ts";
import { described, lang, titled } from "../parameters.ts";
import { readOwnBody } from "../plugins/own_pages.ts";
import { clientAddress, createRoutes } from "../plugins/request_context.ts";
import { refuse } from "../problem.ts";
import { jsonReply } from "../reply.ts";
import { json, operation, problems } from "../responses.ts";

const Rating = v.pipe(
  v.object({
    scenario: described(v.picklist(SCENARIOS), "What the caller uses the address for."),
    rating: described(
      v.picklist([1, 2, 3, 4, 5]),
      "5 very smooth, 4 usable, 3 barely usable, 2 often blocked, 1 unusable.",
    ),
  }),
  v.title("Rating"),
  v.examples([{ scenario: "ai", rating: 4 }]),
);

const Feedback = titled("Feedback", { feedback: v.unwrap(ReportSchema.pipe[0].entries.feedback) });

/**
 * `POST /api/feedback`: a verified visitor rates its own address. A later vote of the same client and UTC day replaces
 * the earlier one, whatever browser or pass sends it.
 */
export function feedbackRoute(path: string, context: HttpContext) {
  return createRoutes()
    .model({ Rating, Feedback })
    .post(
      path,
      async ({ body, requestContext }) => {
        const { client, language, request } = requestContext;
        const address = clientAddress(requestContext);
        if (isBogon(address)) return refuse("invalid_ip", { data: { input: address.text } });
        if (context.passes.read(request.headers.get("cookie")) === undefined) {
          const reportUrl = reportUrlOf(context.baseUrl, address.text, language);
          return refuse("forbidden", { data: { reason: "feedback" }, reportUrl });
        }
        const day = Math.floor(context.now() / DAY_MS);
        const voter = context.clientNames.voterOf(client.key, day);
        await context.votes.save({ address: address.text, ...body, voter, day });
        const feedback = averageRatings(await context.votes.read(address.text)) ?? {};
        return jsonReply({ feedback }, { cacheControl: "no-store", shared: false });
      },
      {
        parse: [readOwnBody(context), "json"],
        query: v.object({ lang }),
        body: Rating,
        response: {
          200: json("All ratings of the address, this one included.", Feedback, {
            isCacheable: false,
            shared: false,
            example: { feedback: { ai: { count: 3, average: 4.33 } } },
          }),
          ...problems("lookup", "json", [403, 404, 413], {
            access: "private",
            reasons: ["feedback", "cross_site"],
          }),
        },
        detail: operation("rateOwnAddress"),
      },
    );
}
