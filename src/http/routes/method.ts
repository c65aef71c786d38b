import * as v from "valibot";
import { renderMethodPage } from "#render";
import type { Site } from "../context.ts";
import { lang } from "../parameters.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { once, pageReply } from "../reply.ts";
import { operation, page, problems } from "../responses.ts";

/** `/method` and `/en/method`: how the score is computed. */
export function methodRoute(path: string, context: Site) {
  return createRoutes().get(
    path,
    once((language) => {
      const rendered = renderMethodPage(context.method, language, context.baseUrl);
      return pageReply(rendered, { cacheControl: "public, max-age=300", languages: [language] });
    }),
    {
      query: v.object({ lang }),
      response: { 200: page("The page."), ...problems("nothing", "page", [400]) },
      detail: operation("getMethod"),
    },
  );
}
