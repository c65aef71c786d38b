import { type AnyElysia, Elysia } from "elysia";
import { parseAddress } from "#address";
import { ReportQuerySchema } from "../contract.ts";
import type { Exchange } from "../exchange.ts";
import type { HttpDeps } from "../http_deps.ts";
import { leadTo } from "../lead_to.ts";
import { readAddress } from "../read_address.ts";
import { readQuery } from "../read_query.ts";
import { readReportName } from "../read_report_name.ts";
import type { Reply } from "../reply.ts";
import { type ReportDesk, replyReport } from "../reply_report.ts";
import { reportPathOf } from "../report_url.ts";
import { type Handler, mount } from "../serve.ts";

/**
 * `/ip/{ip}`, `/ip/{ip}.json`, `.txt`, `.md` and their English forms. One pattern serves them all:
 * the router cannot tell an ending from the address before it.
 */
export function reportRoutes(deps: HttpDeps, desk: ReportDesk): AnyElysia {
  const handler: Handler = (exchange) => {
    const { address, format } = readReportName(exchange.path);
    const elsewhere = format === "page" ? leadToCanonical(exchange, address) : undefined;
    if (elsewhere !== undefined) return elsewhere;
    return replyReport(deps, desk, exchange, () => {
      const { refresh } = readQuery(exchange.query, ReportQuerySchema);
      return { address: readAddress(address), refresh: refresh !== undefined, format };
    });
  };
  return new Elysia({ name: "routes/report" })
    .use(mount(deps, "/ip/:name", handler))
    .use(mount(deps, "/en/ip/:name", handler));
}

/**
 * A page stands under the canonical form of its address; programs are answered where they ask. Brackets are a way to
 * write the same, and may stay.
 */
function leadToCanonical({ path, request }: Exchange, written: string): Reply | undefined {
  const canonical = parseAddress(written)?.text;
  if (canonical === undefined || canonical === written || `[${canonical}]` === written) return undefined;
  return leadTo(reportPathOf(canonical, path.startsWith("/en/") ? "en" : "zh"), request);
}
