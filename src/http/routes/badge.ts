import * as v from "valibot";
import { isBogon } from "#address";
import { maskAddress, renderNotPublicBadge, renderUnknownBadge } from "#render";
import type { Language } from "#report";
import type { Clients, Operation, Reports } from "../context.ts";
import { lang, ME, mask, parseSubject, type Subject, subjectName } from "../parameters.ts";
import { takeLookup } from "../plugins/limits.ts";
import { createRoutes, resolveSubject } from "../plugins/request_context.ts";
import { refuse } from "../problem.ts";
import { type Reply, textReply } from "../reply.ts";
import type { ReportReplies } from "../report_replies.ts";
import { operation, problems, text } from "../responses.ts";

/** A subject, or "none" for a name that is not an SVG image. */
const badgeName = subjectName<Subject | "none">((name) => {
  if (!name.endsWith(".svg")) return { name: "none", written: name };
  const written = name.slice(0, -".svg".length);
  const subject = parseSubject(written);
  return subject === undefined ? { written } : { name: subject, written };
});

/**
 * `/badge/{ip}.svg` and `/en/badge/{ip}.svg`: shows a stored report and never starts a survey, because every visitor of
 * a page with the badge fetches it, and this must not spend their allowance. Costs one lookup. It depends on no client,
 * so any cache may keep it; only `/badge/me.svg` depends on the caller.
 */
export function badgeRoute(path: string, context: Reports & Clients & Operation, replies: ReportReplies) {
  return createRoutes().get(
    path,
    async ({ params, query, requestContext }) => {
      if (params.name === "none") return refuse("not_found");
      const refused = takeLookup(context, requestContext);
      if (refused !== undefined) return refused;
      const own = params.name === ME;
      const address = resolveSubject(requestContext, params.name);
      const { language } = requestContext;
      const isMasked = query.mask !== undefined;
      const shown = isMasked ? maskAddress(address.text) : address.text;
      if (own && isBogon(address)) return svgReply(renderNotPublicBadge(shown, language), language, own);
      const answer = await context.findKnown(address);
      // A cached answer must not show the limits of this client to others.
      if (!own) requestContext.limits.splice(0);
      const format = isMasked ? "masked_badge" : "badge";
      if (answer !== undefined) return replies(answer, { language, format, own });
      return svgReply(renderUnknownBadge(shown, language), language, own);
    },
    {
      params: v.object({ name: badgeName }),
      query: v.object({ lang, mask }),
      response: {
        200: text("The badge of a known or an unknown address.", {
          mediaType: "image/svg+xml",
          headers: ["Last-Modified"],
        }),
        ...problems("lookup", "text", [404]),
      },
      detail: {
        tags: ["Reports"],
        "x-paths": [
          {
            path: `/badge/{ip}.svg`,
            format: "text",
            mediaType: "image/svg+xml",
            ...operation("getBadge"),
          },
        ],
      },
    },
  );
}

function svgReply(svg: string, language: Language, own: boolean): Reply<"text"> {
  const cacheControl = own ? "private, no-cache" : "public, max-age=300";
  return textReply(svg, { cacheControl, languages: [language] }, "image/svg+xml");
}
