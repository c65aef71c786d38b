import { type AnyElysia, Elysia } from "elysia";
import { renderUnknownBadge } from "#render";
import { takeLookup } from "../admit.ts";
import { createBody } from "../body.ts";
import { BadgeQuerySchema } from "../contract.ts";
import type { ReportReplies } from "../create_report_replies.ts";
import type { HttpDeps } from "../http_deps.ts";
import { HttpProblem } from "../http_problem.ts";
import { readAddress } from "../read_address.ts";
import { readLastPart } from "../read_last_part.ts";
import { readQuery } from "../read_query.ts";
import { createReply } from "../reply.ts";
import { mount } from "../serve.ts";

const ENDING = ".svg";

/**
 * `/badge/{ip}.svg`: what is known already, never a survey: a badge is fetched by whoever looks at the page it stands
 * on, and that must not spend their allowance. Costs one lookup; says nothing of the caller, so others may keep it.
 */
export function badgeRoutes(deps: HttpDeps, replies: ReportReplies): AnyElysia {
  return new Elysia({ name: "routes/badge" }).use(
    mount(deps, "/badge/:name", async (exchange) => {
      const name = readLastPart(exchange.path);
      if (!name.endsWith(ENDING)) throw new HttpProblem("not_found");
      takeLookup(deps, exchange);
      readQuery(exchange.query, BadgeQuerySchema);
      const address = readAddress(name.slice(0, -ENDING.length));
      const answer = await deps.findKnown(address);
      // What others may keep must not tell them where this caller's limits stand.
      exchange.limits.splice(0);
      const { language } = exchange;
      if (answer !== undefined) return replies(answer, { language, format: "badge" });
      const body = createBody("image/svg+xml; charset=utf-8", renderUnknownBadge(address.text, language));
      return createReply({ status: 200, keeping: "public, max-age=300", shared: true, body });
    }),
  );
}
