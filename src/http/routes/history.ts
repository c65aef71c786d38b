import { type AnyElysia, Elysia } from "elysia";
import { takeLookup } from "../admit.ts";
import { HistoryQuerySchema } from "../contract.ts";
import type { Conclusion, HttpDeps } from "../http_deps.ts";
import { HttpProblem } from "../http_problem.ts";
import { jsonReply } from "../json_reply.ts";
import { readAddress } from "../read_address.ts";
import { readQuery } from "../read_query.ts";
import { mount } from "../serve.ts";

/** Told while the database cannot be read. */
const RETRY_AFTER_MS = 5000;

/** `/api/history?ip=`: earlier conclusions from the database; asks nobody. Costs one lookup, and no allowance. */
export function historyRoutes(deps: HttpDeps): AnyElysia {
  async function read(address: string): Promise<readonly Conclusion[]> {
    try {
      return await deps.shelf.history(address);
    } catch (error) {
      // That it cannot be read does not mean that there is none.
      deps.log("error", "history_unreadable", { message: String(error) });
      throw new HttpProblem("overloaded", { retryAfterMs: RETRY_AFTER_MS });
    }
  }
  return new Elysia({ name: "routes/history" }).use(
    mount(deps, "/api/history", async (exchange) => {
      takeLookup(deps, exchange);
      const address = readAddress(readQuery(exchange.query, HistoryQuerySchema).ip);
      const history = await read(address.text);
      const entries = history.map(({ surveyedAt, purity, band, scoringVersion }) => ({
        date: new Date(surveyedAt).toISOString(),
        purity,
        band,
        scoringVersion,
      }));
      return jsonReply(200, "private, no-cache", { ip: address.text, entries });
    }),
  );
}
