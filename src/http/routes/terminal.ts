import { type AnyElysia, Elysia } from "elysia";
import { TerminalQuerySchema } from "../contract.ts";
import type { ReportReplies } from "../create_report_replies.ts";
import type { HttpDeps } from "../http_deps.ts";
import { lookUp } from "../look_up.ts";
import { readAddress } from "../read_address.ts";
import { readLastPart } from "../read_last_part.ts";
import { readQuery } from "../read_query.ts";
import type { ReportFormat } from "../report_format.ts";
import { mount } from "../serve.ts";

/** `/cli/{ip}?lang=&color=&format=line&refresh=`: the report for terminals, or in one line for programs. */
export function terminalRoutes(deps: HttpDeps, replies: ReportReplies): AnyElysia {
  return new Elysia({ name: "routes/terminal" }).use(
    mount(deps, "/cli/:ip", async (exchange) => {
      let format: ReportFormat = "colour";
      const answer = await lookUp(deps, exchange, () => {
        const { refresh, color, format: wanted } = readQuery(exchange.query, TerminalQuerySchema);
        // Without colour it is the text report, byte for byte.
        format = wanted ?? (color === "0" ? "text" : "colour");
        return { address: readAddress(readLastPart(exchange.path)), refresh: refresh !== undefined };
      });
      return replies(answer, { language: exchange.language, format });
    }),
  );
}
