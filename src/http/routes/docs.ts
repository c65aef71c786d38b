import { type AnyElysia, Elysia } from "elysia";
import { renderDocsPage } from "#render";
import type { Language } from "#report";
import { describeInterface } from "../describe_interface.ts";
import type { HttpDeps } from "../http_deps.ts";
import { listLinks } from "../list_links.ts";
import { pageReply } from "../page_reply.ts";
import type { Reply } from "../reply.ts";
import { mount } from "../serve.ts";

/**
 * `/docs` and `/en/docs`: the description as a page to read, made of the same document that `/openapi.json` serves.
 * Drawn by us: the usual viewers need inline styles and scripts, which no page here may have, and weigh megabytes.
 */
export function docsRoutes(deps: HttpDeps): AnyElysia {
  const replies = new Map<Language, Reply>();

  function replyIn(language: Language): Reply {
    const known = replies.get(language);
    if (known !== undefined) return known;
    const description = describeInterface(deps.baseUrl);
    const page = renderDocsPage({ description, language, origin: deps.baseUrl });
    const headers = { link: listLinks(language) };
    const reply = pageReply(page, { status: 200, keeping: "public, max-age=300", headers });
    replies.set(language, reply);
    return reply;
  }

  return new Elysia({ name: "routes/docs" })
    .use(mount(deps, "/docs", () => replyIn("zh")))
    .use(mount(deps, "/en/docs", () => replyIn("en")));
}
