import type { AnyElysia } from "elysia";
import * as v from "valibot";
import { renderDocsPage } from "#render";
import type { Clients, Site } from "../context.ts";
import COMPONENTS from "../openapi/components.json" with { type: "json" };
import { describeApp, resolveReferences } from "../openapi/describe.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { jsonReply, once } from "../reply.ts";
import { json, operation, problems } from "../responses.ts";
import { pageRoute } from "./site.ts";

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
        // Other responses leave these headers out, because they accompany another header.
        200: json("This document.", v.unknown(), { headers: COMPONENTS.fullHeaders }),
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
  return pageRoute(path, "getDocs", (language) => {
    // Read at the request: the origin is known once the service listens.
    const { limits, baseUrl: origin } = context;
    return renderDocsPage({
      description: resolveReferences(describeApp(app, context)),
      limits,
      language,
      origin,
    });
  });
}
