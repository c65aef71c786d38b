import { type AnyElysia, Elysia } from "elysia";
import { averageRatings } from "#locale";
import { createBody } from "../body.ts";
import { castBallot } from "../cast_ballot.ts";
import { FeedbackBodySchema, LanguageQuerySchema } from "../contract.ts";
import type { HttpDeps } from "../http_deps.ts";
import { readQuery } from "../read_query.ts";
import { createReply } from "../reply.ts";
import { mountPost } from "../serve.ts";

/** `POST /api/feedback`: a verified visitor rates the address it comes from. Costs one lookup. */
export function feedbackRoutes(deps: HttpDeps): AnyElysia {
  return new Elysia({ name: "routes/feedback" }).use(
    mountPost(deps, "/api/feedback", FeedbackBodySchema, async (exchange, { scenario, rating }) => {
      readQuery(exchange.query, LanguageQuerySchema);
      const votes = await castBallot(deps, exchange, scenario, rating);
      const value = JSON.stringify({ feedback: averageRatings(votes) ?? {} });
      const body = createBody("application/json; charset=utf-8", value);
      return createReply({ status: 200, body, keeping: "no-store", shared: false });
    }),
  );
}
