import { type AnyElysia, Elysia } from "elysia";
import { renderMethod } from "#render";
import type { Language } from "#report";
import { createBody } from "../body.ts";
import type { HttpDeps } from "../http_deps.ts";
import { createReply, type Reply } from "../reply.ts";
import { mount } from "../serve.ts";

/** `/method` and `/en/method`: how the score is made. Built on first demand, the same for everyone. */
export function methodRoutes(deps: HttpDeps): AnyElysia {
  const replies = new Map<Language, Reply>();

  function replyIn(language: Language): Reply {
    const known = replies.get(language);
    if (known !== undefined) return known;
    const body = createBody("text/html; charset=utf-8", renderMethod(deps.method, language, deps.baseUrl));
    const reply = createReply({ status: 200, body, keeping: "public, max-age=300", shared: false });
    replies.set(language, reply);
    return reply;
  }

  return new Elysia({ name: "routes/method" })
    .use(mount(deps, "/method", () => replyIn("zh")))
    .use(mount(deps, "/en/method", () => replyIn("en")));
}
