import { type AnyElysia, Elysia } from "elysia";
import { addressOf } from "../address_of.ts";
import { MyIpQuerySchema } from "../contract.ts";
import type { HttpDeps } from "../http_deps.ts";
import { jsonReply } from "../json_reply.ts";
import { lineReply } from "../line_reply.ts";
import { readQuery } from "../read_query.ts";
import { mount } from "../serve.ts";

/** `/api/myip`, `/api/myip?format=text`: costs nothing, not even a lookup. */
export function myIpRoutes(deps: HttpDeps): AnyElysia {
  return new Elysia({ name: "routes/my_ip" }).use(
    mount(deps, "/api/myip", (exchange) => {
      const { format } = readQuery(exchange.query, MyIpQuerySchema);
      const ip = addressOf(exchange).text;
      return format === "text" ? lineReply(ip) : jsonReply(200, "private, no-cache", { ip });
    }),
  );
}
