import * as v from "valibot";
import type { Conclusion } from "#report";
import type { Clients, Operation, Reports } from "../context.ts";
import { described, ip, lang, titled } from "../parameters.ts";
import { takeLookup } from "../plugins/limits.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { refuse } from "../problem.ts";
import { jsonReply } from "../reply.ts";
import { json, operation, problems } from "../responses.ts";
import EXAMPLES from "./examples.json" with { type: "json" };

const RETRY_AFTER_MS = 5000;

const History = titled("History", {
  ip: described(v.string(), "Canonical address."),
  entries: described(
    v.array(
      v.object({
        queriedAt: v.pipe(
          v.string(),
          v.isoTimestamp(),
          v.description("When the sources were queried; as in the report."),
        ),
        purity: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
        level: described(v.string(), "As `risk.level` of the report, at that time."),
        scoringVersion: v.pipe(
          v.number(),
          v.integer(),
          v.description("Scores of different versions do not compare directly."),
        ),
        confidence: described(
          v.nullable(v.string()),
          "As `risk.confidence` of the report, at that time. Null: not recorded.",
        ),
        coverage: described(
          v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
          "As `risk.coverage.total` of the report, at that time. Null: not recorded.",
        ),
      }),
    ),
    "Newest first, 50 at most; empty for an address that is not stored.",
  ),
});

/** `/api/history`: earlier conclusions from the database. Costs one lookup and no allowance. */
export function historyRoute(path: string, context: Reports & Clients & Operation) {
  return createRoutes()
    .model({ History })
    .get(
      path,
      async ({ query, requestContext }) => {
        const refused = takeLookup(context, requestContext);
        if (refused !== undefined) return refused;
        const conclusions = await readHistory(context, query.ip.text);
        // A database that cannot be read, or a mirror without a copy, does not mean that there is no history.
        if (conclusions === undefined) return refuse("overloaded", { retryAfterMs: RETRY_AFTER_MS });
        const entries = conclusions.map(({ surveyedAt, band: level, ...rest }) => {
          const { purity, scoringVersion, confidence, coverage } = rest;
          const queriedAt = new Date(surveyedAt).toISOString();
          return { queriedAt, purity, level, scoringVersion, confidence, coverage };
        });
        return jsonReply({ ip: query.ip.text, entries });
      },
      {
        query: v.object({ ip, lang }),
        response: {
          200: json("The conclusions, newest first.", History, { example: EXAMPLES.history }),
          ...problems("lookup", "json", [503]),
        },
        detail: operation("getHistory"),
      },
    );
}

async function readHistory(
  { history, log }: Reports & Clients & Operation,
  address: string,
): Promise<readonly Conclusion[] | undefined> {
  try {
    return await history.history(address);
  } catch (error) {
    log("error", "history_unreadable", { message: String(error) });
    return undefined;
  }
}
