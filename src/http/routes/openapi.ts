import { type AnyElysia, Elysia } from "elysia";
import { createBody } from "../body.ts";
import { describeInterface } from "../describe_interface.ts";
import type { HttpDeps } from "../http_deps.ts";
import { createReply, type Reply } from "../reply.ts";
import { mount } from "../serve.ts";

/** `/openapi.json`: the machine-readable description, built on first demand. */
export function openapiRoutes(deps: HttpDeps): AnyElysia {
  let reply: Reply | undefined;
  return new Elysia({ name: "routes/openapi" }).use(
    mount(deps, "/openapi.json", () => {
      if (reply === undefined) {
        const body = createBody(
          "application/json; charset=utf-8",
          JSON.stringify(describeInterface(deps.baseUrl)),
        );
        reply = createReply({ status: 200, body, keeping: "public, max-age=300", shared: true });
      }
      return reply;
    }),
  );
}
