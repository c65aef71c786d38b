import { type AnyElysia, Elysia } from "elysia";
import { renderHomePage } from "#render";
import { addressOf } from "../address_of.ts";
import { HomeQuerySchema } from "../contract.ts";
import type { HttpDeps } from "../http_deps.ts";
import { lineReply } from "../line_reply.ts";
import { pageReply } from "../page_reply.ts";
import { readAddress } from "../read_address.ts";
import { readQuery } from "../read_query.ts";
import { createReply } from "../reply.ts";
import { reportPathOf } from "../report_url.ts";
import { type Handler, mount } from "../serve.ts";

/** `/` and `/en`: the caller's address for terminals, a page with one field for browsers; `?ip=` leads to a report. */
export function homeRoutes(deps: HttpDeps): AnyElysia {
  const vary = { vary: "Accept, User-Agent" };
  const handler: Handler = (exchange) => {
    const { language, shape } = exchange;
    if (shape === "text") return lineReply(addressOf(exchange).text, vary);
    const { ip } = readQuery(exchange.query, HomeQuerySchema);
    if (ip === undefined) {
      const page = renderHomePage({ address: addressOf(exchange).text, language, origin: deps.baseUrl });
      return pageReply(page, { status: 200, keeping: "private, no-cache", headers: vary });
    }
    const location = reportPathOf(readAddress(ip.trim()).text, language);
    return createReply({ status: 302, keeping: "no-store", shared: false, headers: { ...vary, location } });
  };
  return new Elysia({ name: "routes/home" }).use(mount(deps, "/", handler)).use(mount(deps, "/en", handler));
}
