import { status } from "elysia";
import * as v from "valibot";
import type { Operation, Site } from "../context.ts";
import { described, optional, titled } from "../parameters.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { jsonReply } from "../reply.ts";
import { json, operation, problems } from "../responses.ts";

const Health = titled("Health", {
  status: v.literal("ok"),
  version: described(v.string(), "Version of the program."),
});

const Readiness = titled("Readiness", {
  ready: v.boolean(),
  checks: v.record(
    v.string(),
    v.object({
      ok: v.boolean(),
      lagSeconds: optional(
        v.pipe(v.number(), v.minValue(0)),
        "On a mirror: seconds since its copy was last complete.",
      ),
      frame: optional(v.number(), "On a mirror: the last page of the primary's log that it has."),
    }),
  ),
});

const NOT_CACHED = { isCacheable: false } as const;
const NO_STORE = { cacheControl: "no-store" } as const;

/** `/healthz`: the process answers. */
export function healthRoute(path: string, { version }: Site) {
  return createRoutes()
    .model({ Health })
    .get(path, () => jsonReply({ status: "ok" as const, version }, NO_STORE), {
      response: {
        200: json("It answers.", Health, { ...NOT_CACHED, example: { status: "ok", version: "1.2.3" } }),
        ...problems("nothing", "json"),
      },
      detail: operation("getHealth"),
    });
}

/** `/readyz`: the service can do its work. Sends nothing to other services. */
export function readinessRoute(path: string, context: Operation) {
  let wasReady = true;
  return createRoutes()
    .model({ Readiness })
    .get(
      path,
      async () => {
        const { ready, checks } = await context.ready();
        // Probes come every few seconds: only a change is logged.
        if (ready !== wasReady)
          context.log(ready ? "info" : "warn", ready ? "ready" : "not_ready", { checks });
        wasReady = ready;
        const shown = Object.entries(checks).map(([name, { detail: _, ...check }]) => [name, check] as const);
        const document: v.InferOutput<typeof Readiness> = { ready, checks: Object.fromEntries(shown) };
        const reply = jsonReply(document, NO_STORE);
        return ready ? reply : status(503, reply);
      },
      {
        response: {
          200: json("It is ready.", Readiness, {
            ...NOT_CACHED,
            example: { ready: true, checks: { store: { ok: true } } },
          }),
          ...problems("nothing", "json"),
          503: json("It is not ready; `checks` says why.", Readiness, {
            ...NOT_CACHED,
            example: { ready: false, checks: { store: { ok: false } } },
          }),
        },
        detail: operation("getReadiness"),
      },
    );
}
