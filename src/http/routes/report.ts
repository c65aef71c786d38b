import { type AnyElysia, Elysia } from "elysia";
import { ReportQuerySchema } from "../contract.ts";
import type { ReportReplies } from "../create_report_replies.ts";
import type { HttpDeps } from "../http_deps.ts";
import { isOwn } from "../is_own.ts";
import { lookUp } from "../look_up.ts";
import { readAddress } from "../read_address.ts";
import { readQuery } from "../read_query.ts";
import { readReportName } from "../read_report_name.ts";
import { type Handler, mount } from "../serve.ts";

/**
 * `/ip/{ip}`, `/ip/{ip}.json`, `/ip/{ip}.txt` and their English forms. One pattern serves the three:
 * the router cannot tell an ending from the address before it.
 */
export function reportRoutes(deps: HttpDeps, replies: ReportReplies): AnyElysia {
  const handler: Handler = async (exchange) => {
    const name = readReportName(exchange.path);
    const answer = await lookUp(deps, exchange, () => {
      const { refresh } = readQuery(exchange.query, ReportQuerySchema);
      return { address: readAddress(name.address), refresh: refresh !== undefined };
    });
    const own = isOwn(exchange, answer.assessment);
    return replies(answer, { language: exchange.language, shape: name.shape, own });
  };
  return new Elysia({ name: "routes/report" })
    .use(mount(deps, "/ip/:name", handler))
    .use(mount(deps, "/en/ip/:name", handler));
}
