import { type AnyElysia, Elysia } from "elysia";
import { renderMethodPage } from "#render";
import type { Language } from "#report";
import type { HttpDeps } from "../http_deps.ts";
import { pageReply } from "../page_reply.ts";
import type { Reply } from "../reply.ts";
import { mount } from "../serve.ts";

/** `/method` and `/en/method`: how the score is made. Built on first demand, the same for everyone. */
export function methodRoutes(deps: HttpDeps): AnyElysia {
  const replies = new Map<Language, Reply>();

  function replyIn(language: Language): Reply {
    const known = replies.get(language);
    if (known !== undefined) return known;
    const page = renderMethodPage(deps.method, language, deps.baseUrl);
    const reply = pageReply(page, { status: 200, keeping: "public, max-age=300" });
    replies.set(language, reply);
    return reply;
  }

  return new Elysia({ name: "routes/method" })
    .use(mount(deps, "/method", () => replyIn("zh")))
    .use(mount(deps, "/en/method", () => replyIn("en")));
}
