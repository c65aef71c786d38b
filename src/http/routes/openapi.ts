import type { AnyElysia } from "elysia";
import * as v from "valibot";
import { renderDocsPage } from "#render";
import type { Clients, Site } from "../context.ts";
import { describeApp, resolveReferences } from "../openapi/describe.ts";
import { lang } from "../parameters.ts";
import { linkHeader } from "../plugins/headers.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { jsonReply, once, pageReply } from "../reply.ts";
import { json, operation, page, problems } from "../responses.ts";

/** Headers that other responses leave out, because they accompany another header: named in full here. */
const FULL_HEADERS = [
  "x-request-id",
  "Cache-Control",
  "Content-Security-Policy",
  "X-Content-Type-Options",
  "Referrer-Policy",
  "Access-Control-Expose-Headers",
  "Content-Language",
  "Link",
];

/** `/openapi.json`: the description of all routes of `app`. */
export function openapiRoute(path: string, context: Site & Clients, app: AnyElysia) {
  return createRoutes().get(
    path,
    once(() =>
      jsonReply<unknown>(describeApp(app, context, "programs"), {
        cacheControl: "public, max-age=300",
        languages: ["en"],
      }),
    ),
    {
      response: {
        200: json("This document.", v.unknown(), { headers: FULL_HEADERS }),
        ...problems("nothing", "json"),
      },
      detail: operation("getDescription"),
    },
  );
}

/**
 * `/docs` and `/en/docs`: the same description as a page. The usual viewers need inline styles and scripts, which the
 * pages of this site do not allow.
 */
export function docsRoute(path: string, context: Site & Clients, app: AnyElysia) {
  return createRoutes().get(
    path,
    once((language) => {
      const description = resolveReferences(describeApp(app, context));
      const { limits, baseUrl: origin } = context;
      const headers = { link: linkHeader(language) };
      const cacheControl = "public, max-age=300";
      const rendered = renderDocsPage({ description, limits, language, origin });
      return pageReply(rendered, { cacheControl, languages: [language], headers });
    }),
    {
      query: v.object({ lang }),
      response: { 200: page("The page.", { headers: ["Link"] }), ...problems("nothing", "page", [400]) },
      detail: operation("getDocs"),
    },
  );
}
