import * as v from "valibot";
import { CARD_PAGES } from "#render";
import type { CardReplies } from "../card_replies.ts";
import type { Clients, Operation, Reports } from "../context.ts";
import { lang, ME, type Subject } from "../parameters.ts";
import { inBothLanguages } from "../paths.ts";
import { takeLookup } from "../plugins/limits.ts";
import { createRoutes, type RequestContext, resolveSubject } from "../plugins/request_context.ts";
import { refuse } from "../problem.ts";
import { Reply } from "../reply.ts";
import { file, problems } from "../responses.ts";

/** A card is drawn in some ten milliseconds, so a full queue is soon empty. */
const RETRY_AFTER_MS = 2000;

/**
 * Answers `/ip/{ip}.png` as `/badge/{ip}.svg` is answered: it costs a lookup, never starts a survey, and depends on no
 * client, so any cache may keep it; only `/ip/me.png` depends on the caller.
 */
export async function answerCard(
  context: Reports & Clients & Operation,
  cards: CardReplies,
  requestContext: RequestContext,
  subject: Subject,
) {
  const refused = takeLookup(context, requestContext);
  if (refused !== undefined) return refused;
  const address = resolveSubject(requestContext, subject);
  const answer = await context.findKnown(address);
  const card = await cards.ofAddress(address, answer, requestContext.language);
  if (subject === ME && card !== undefined) return Reply.toPrivate(card);
  // A cached answer must not show the limits of this client to others.
  requestContext.limits.splice(0);
  return card ?? refuse("overloaded", { retryAfterMs: RETRY_AFTER_MS });
}

/** `/card/{page}.png` and `/en/card/{page}.png`: the pictures that link previews of the pages show. */
export function cardRoute(path: string, cards: CardReplies) {
  return inBothLanguages(path, (pattern) =>
    createRoutes().get(
      pattern,
      async ({ params, requestContext }) => {
        const page = CARD_PAGES.find((one) => params.file === `${one}.png`);
        if (page === undefined) return refuse("not_found");
        const card = await cards.ofPage(page, requestContext.language);
        return card ?? refuse("overloaded", { retryAfterMs: RETRY_AFTER_MS });
      },
      {
        params: v.object({
          // Elysia gives no value for a broken escape. The empty name exists nowhere.
          file: v.fallback(
            v.pipe(
              v.string(),
              v.description("Page and ending."),
              v.examples(CARD_PAGES.map((page) => `${page}.png`)),
            ),
            "",
          ),
        }),
        query: v.object({ lang }),
        response: {
          200: file("The picture.", "image/png"),
          ...problems("nothing", "text", [400, 404, 503]),
        },
        detail: {
          operationId: "getPageCard",
          summary: "The picture for link previews of a page",
          description: "1200 x 630 pixels. Anyone may cache it for 5 minutes.",
          tags: ["Pages"],
        },
      },
    ),
  );
}
