import { type AnyElysia, Elysia } from "elysia";
import { TerminalQuerySchema } from "../contract.ts";
import type { HttpDeps } from "../http_deps.ts";
import { readAddress } from "../read_address.ts";
import { readLastPart } from "../read_last_part.ts";
import { readQuery } from "../read_query.ts";
import { type ReportDesk, replyReport } from "../reply_report.ts";
import { mount } from "../serve.ts";

/** `/cli/{ip}?lang=&color=&format=line&refresh=`: the report for terminals, or in one line for programs. */
export function terminalRoutes(deps: HttpDeps, desk: ReportDesk): AnyElysia {
  return new Elysia({ name: "routes/terminal" }).use(
    mount(deps, "/cli/:ip", (exchange) =>
      replyReport(deps, desk, exchange, () => {
        const { refresh, color, format } = readQuery(exchange.query, TerminalQuerySchema);
        return {
          address: readAddress(readLastPart(exchange.path)),
          refresh: refresh !== undefined,
          // Without colour it is the text report, byte for byte.
          format: format ?? (color === "0" ? "text" : "colour"),
        };
      }),
    ),
  );
}
