import * as v from "valibot";
import { renderAtom } from "#watch";
import type { Clients, Operation, Site } from "../context.ts";
import { lang } from "../parameters.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { HttpProblem, refuse } from "../problem.ts";
import { textReply } from "../reply.ts";
import { operation, problems, text } from "../responses.ts";
import { hasToken } from "./metrics.ts";

/** Entries of the feed. */
const MAX_ENTRIES = 100;

/** `/watch.atom`: the newest changes of watched addresses. For clients of the operator only, or with its token. */
export function watchFeedRoute(path: string, context: Clients & Site & Operation) {
  return createRoutes().get(
    path,
    async ({ requestContext: { client, request } }) => {
      const { watched, metrics, baseUrl, now } = context;
      if (!client.exempt && (metrics === undefined || !hasToken(metrics, request.headers)))
        throw new HttpProblem("forbidden", { data: { reason: "not_exempt" } });
      if (watched === undefined) return refuse("not_found");
      const feed = renderAtom(await watched.readEvents(MAX_ENTRIES), `${baseUrl}${path}`, now());
      return textReply(feed, { shared: false }, "application/atom+xml");
    },
    {
      query: v.object({ lang }),
      response: {
        200: text("The newest changes first.", { mediaType: "application/atom+xml", shared: false }),
        ...problems("nothing", "text", [400, 403, 404], { access: "private", reasons: ["not_exempt"] }),
      },
      detail: operation("getWatchFeed"),
    },
  );
}
