import { type AnyElysia, Elysia } from "elysia";
import type { HttpDeps } from "../http_deps.ts";
import { jsonReply } from "../json_reply.ts";
import { mount } from "../serve.ts";

/** `/healthz`: the process answers. `/readyz`: it can do its work. Neither asks anyone outside. */
export function healthRoutes(deps: HttpDeps): AnyElysia {
  let wasReady = true;
  return new Elysia({ name: "routes/health" })
    .use(mount(deps, "/healthz", () => jsonReply(200, "no-store", { status: "ok", version: deps.version })))
    .use(
      mount(deps, "/readyz", async () => {
        const { ready, checks } = await deps.ready();
        // Probes come every few seconds: only a change is news.
        if (ready !== wasReady) deps.log(ready ? "info" : "warn", ready ? "ready" : "not_ready", { checks });
        wasReady = ready;
        const shown = Object.entries(checks).map(([name, { detail: _, ...check }]) => [name, check] as const);
        return jsonReply(ready ? 200 : 503, "no-store", { ready, checks: Object.fromEntries(shown) });
      }),
    );
}
