import { type AnyElysia, Elysia } from "elysia";
import { LookupQuerySchema } from "../contract.ts";
import { createProgressReplies } from "../create_progress_replies.ts";
import type { HttpDeps } from "../http_deps.ts";
import { readAddress } from "../read_address.ts";
import { readQuery } from "../read_query.ts";
import { mount } from "../serve.ts";

/** `/api/progress?ip=&lang=&refresh=`: a lookup that is watched, with the limits of any other. */
export function progressRoutes(deps: HttpDeps): AnyElysia {
  const replies = createProgressReplies(deps);
  return new Elysia({ name: "routes/progress" }).use(
    mount(deps, "/api/progress", (exchange) =>
      replies(exchange, () => {
        const { ip, refresh } = readQuery(exchange.query, LookupQuerySchema);
        return { address: readAddress(ip), refresh: refresh !== undefined };
      }),
    ),
  );
}
