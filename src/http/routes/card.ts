import { LRUCache } from "lru-cache";
import * as v from "valibot";
import type { Address } from "#address";
import { createSingleFlight } from "#concurrency";
import type { Answer } from "#lookup";
import {
  CARD_PAGES,
  type CardPage,
  maskAddress,
  renderNetworkCard,
  renderPageCard,
  renderReportCard,
  renderUnsurveyedCard,
} from "#render";
import type { Language, NetworkSummary } from "#report";
import type { Clients, Operation, Reports, Site } from "../context.ts";
import { fileName, lang, ME, type Subject } from "../parameters.ts";
import { takeLookup } from "../plugins/limits.ts";
import { createRoutes, type RequestContext, resolveSubject } from "../plugins/request_context.ts";
import { refuse } from "../problem.ts";
import { Reply } from "../reply.ts";
import { answerFromTables, localizeAnswer, tagOf } from "../report_replies.ts";
import { file, operation, problems } from "../responses.ts";

/** A card is drawn in some ten milliseconds, so a full queue is soon empty. */
export const RETRY_AFTER_MS = 2000;

/**
 * Answers `/ip/{ip}.png` as `/badge/{ip}.svg` is answered: it costs a lookup, never starts a survey, and depends on no
 * client, so any cache may keep it; only `/ip/me.png` depends on the caller.
 */
export async function answerCard(
  context: Reports & Clients & Operation,
  cards: CardReplies,
  requestContext: RequestContext,
  { subject, masked }: { readonly subject: Subject; readonly masked: boolean },
) {
  const refused = takeLookup(context, requestContext);
  if (refused !== undefined) return refused;
  const address = resolveSubject(requestContext, subject);
  const answer = await context.findKnown(address);
  const card = await cards.ofAddress(address, answer, { language: requestContext.language, masked });
  if (subject === ME && card !== undefined) return Reply.toPrivate(card);
  // A cached answer must not show the limits of this client to others.
  requestContext.limits.splice(0);
  return card ?? refuse("overloaded", { retryAfterMs: RETRY_AFTER_MS });
}

/** `/card/{page}.png` and `/en/card/{page}.png`: the pictures that link previews of the pages show. */
export function cardRoute(path: string, cards: CardReplies) {
  return createRoutes().get(
    path,
    async ({ params, requestContext }) => {
      const page = CARD_PAGES.find((one) => params.file === `${one}.png`);
      if (page === undefined) return refuse("not_found");
      const card = await cards.ofPage(page, requestContext.language);
      return card ?? refuse("overloaded", { retryAfterMs: RETRY_AFTER_MS });
    },
    {
      params: v.object({
        file: fileName(
          "Page and ending.",
          CARD_PAGES.map((page) => `${page}.png`),
        ),
      }),
      query: v.object({ lang }),
      response: {
        200: file("The picture.", "image/png"),
        ...problems("nothing", "text", [400, 404, 503]),
      },
      detail: operation("getPageCard"),
    },
  );
}

/** Memory for cards: about 200 images of 75 kB. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The share cards. A method returns undefined if too many cards are drawn at the moment. */
export type CardReplies = ReturnType<typeof createCardReplies>;

/** Creates the cache of share cards. Requests for the same card wait for the same drawing. */
export function createCardReplies(context: Reports & Site & Operation) {
  const cards = new LRUCache<string, Reply<"file">>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ size }) => Math.max(1, size),
  });
  const drawings = createSingleFlight<Reply<"file"> | undefined>();

  async function draw(key: string, language: Language, renderSvg: () => string | Promise<string>) {
    const png = await context.drawPng(renderSvg);
    if (png === undefined) return undefined;
    const reply = new Reply<"file">(
      { cacheControl: "public, max-age=300", shared: false, languages: [language] },
      { contentType: "image/png", content: png },
    );
    cards.set(key, reply);
    return reply;
  }

  /** The card in one language; `about` names all else that it depends on. */
  async function find(about: string, language: Language, renderSvg: () => string | Promise<string>) {
    const key = `${about} ${language}`;
    return cards.get(key) ?? drawings.run(key, () => draw(key, language, renderSvg));
  }

  return {
    /** The card of an answer, or without one the card of an address that nobody has looked up. */
    async ofAddress(
      address: Address,
      answer: Answer | undefined,
      { language, masked }: { readonly language: Language; readonly masked: boolean },
    ) {
      const state =
        answer === undefined ? context.classifier.version() : tagOf(context, answer, language, []);
      return find(`${address.text} ${masked} ${state}`, language, async () => {
        const shown = answer ?? answerFromTables(await context.assessTables(address));
        const report = localizeAnswer(context, shown, language);
        const render = answer === undefined ? renderUnsurveyedCard : renderReportCard;
        return render(masked ? { ...report, ip: maskAddress(report.ip) } : report);
      });
    },
    async ofNetwork(summary: NetworkSummary, language: Language) {
      const about = `net ${summary.prefix} ${context.classifier.version()}`;
      return find(about, language, () => renderNetworkCard(summary, language, context.baseUrl));
    },
    async ofPage(page: CardPage, language: Language) {
      return find(`page ${page}`, language, () => renderPageCard(page, language, context.baseUrl));
    },
  };
}
