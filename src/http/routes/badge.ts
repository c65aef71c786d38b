import { status } from "elysia";
import * as v from "valibot";
import { isBogon } from "#address";
import { maskAddress, renderPlainBadge } from "#render";
import type { Language } from "#report";
import type { Clients, Operation, Reports } from "../context.ts";
import { lang, ME, mask, parseSubject, type Subject, subjectName } from "../parameters.ts";
import { takeLookup } from "../plugins/limits.ts";
import { createRoutes, resolveSubject } from "../plugins/request_context.ts";
import { refuse } from "../problem.ts";
import { type CacheControl, type Reply, textReply } from "../reply.ts";
import type { ReportReplies } from "../report_replies.ts";
import { operation, orProblem, problems, text } from "../responses.ts";

const SVG = "image/svg+xml";

/** A subject, "none" for a name that is not an SVG image, or the text of an image that is not of an address. */
const badgeName = subjectName<Subject | "none" | { readonly invalid: string }>((name) => {
  if (!name.endsWith(".svg")) return { name: "none", written: name };
  const written = name.slice(0, -".svg".length);
  return { name: parseSubject(written) ?? { invalid: written }, written };
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
      const { language } = requestContext;
      // A page shows this image in place of a broken one.
      if (typeof params.name === "object" && "invalid" in params.name)
        return status(400, svgReply(renderPlainBadge(params.name.invalid, "invalid", language), language));
      const own = params.name === ME;
      const address = resolveSubject(requestContext, params.name);
      const isMasked = query.mask !== undefined;
      const isSpecial = isBogon(address);
      const answer = own && isSpecial ? undefined : await context.findKnown(address);
      // A cached answer must not show the limits of this client to others.
      if (!own) requestContext.limits.splice(0);
      const format = isMasked ? "masked_badge" : "badge";
      if (answer !== undefined) return replies(answer, { language, format, own });
      const shown = isMasked ? maskAddress(address.text) : address.text;
      const said = !isSpecial ? "unknown" : own ? "notPublic" : "special";
      const cacheControl = own ? "private, no-cache" : "public, max-age=300";
      return svgReply(renderPlainBadge(shown, said, language), language, cacheControl);
    },
    {
      params: v.object({ name: badgeName }),
      query: v.object({ lang, mask }),
      response: {
        ...problems("lookup", "text", [404]),
        200: text("The badge of a known or an unknown address.", { mediaType: SVG }),
        400: orProblem(text("A badge or a text says what is wrong.", { mediaType: SVG, isCacheable: false })),
      },
      detail: {
        tags: ["Reports"],
        "x-paths": [{ path: "/badge/{ip}.svg", format: "text", ...operation("getBadge") }],
      },
    },
  );
}

function svgReply(svg: string, language: Language, cacheControl: CacheControl = "no-store"): Reply<"text"> {
  return textReply(svg, { cacheControl, languages: [language] }, SVG);
}
