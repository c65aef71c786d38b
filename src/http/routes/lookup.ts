import { type AnyElysia, Elysia } from "elysia";
import { LookupQuerySchema } from "../contract.ts";
import type { HttpDeps } from "../http_deps.ts";
import { readAddress } from "../read_address.ts";
import { readQuery } from "../read_query.ts";
import { type ReportDesk, replyReport } from "../reply_report.ts";
import { mount } from "../serve.ts";

/** `/api/lookup?ip=&lang=&refresh=` */
export function lookupRoutes(deps: HttpDeps, desk: ReportDesk): AnyElysia {
  return new Elysia({ name: "routes/lookup" }).use(
    mount(deps, "/api/lookup", (exchange) =>
      replyReport(deps, desk, exchange, () => {
        const { ip, refresh } = readQuery(exchange.query, LookupQuerySchema);
        return { address: readAddress(ip), refresh: refresh !== undefined, format: "json" };
      }),
    ),
  );
}
