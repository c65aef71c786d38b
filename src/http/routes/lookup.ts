import { type AnyElysia, Elysia } from "elysia";
import { LookupQuerySchema } from "../contract.ts";
import type { ReportReplies } from "../create_report_replies.ts";
import type { HttpDeps } from "../http_deps.ts";
import { lookUp } from "../look_up.ts";
import { readAddress } from "../read_address.ts";
import { readQuery } from "../read_query.ts";
import { mount } from "../serve.ts";
import { whenReady } from "../when_ready.ts";

/** `/api/lookup?ip=&lang=&refresh=` */
export function lookupRoutes(deps: HttpDeps, replies: ReportReplies): AnyElysia {
  return new Elysia({ name: "routes/lookup" }).use(
    mount(deps, "/api/lookup", (exchange) => {
      const found = lookUp(deps, exchange, () => {
        const { ip, refresh } = readQuery(exchange.query, LookupQuerySchema);
        return { address: readAddress(ip), refresh: refresh !== undefined };
      });
      return whenReady(found, (answer) => replies(answer, { language: exchange.language, format: "json" }));
    }),
  );
}
