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
import type { Assessment, Language, NetworkSummary, Report } from "#report";
import type { Clients, Operation, Reports, Site } from "../context.ts";
import { lang, ME, type Subject } from "../parameters.ts";
import { takeLookup } from "../plugins/limits.ts";
import { createRoutes, type RequestContext, resolveSubject } from "../plugins/request_context.ts";
import { refuse } from "../problem.ts";
import { Reply } from "../reply.ts";
import { answerFromTables, localizeAnswer } from "../report_replies.ts";
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
      detail: operation("getPageCard"),
    },
  );
}

/** Memory for cards: about 200 images of 75 kB. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The share cards. A method returns undefined if too many cards are drawn at the moment. */
export type CardReplies = ReturnType<typeof createCardReplies>;

interface AddressCardOptions {
  readonly language: Language;
  /** Hides the end of the address. */
  readonly masked: boolean;
}

interface CachedCard {
  readonly reply: Reply<"file">;
  /** The report that the card shows. */
  readonly assessment?: WeakRef<Assessment>;
}

/** Creates the cache of share cards. Requests for the same card wait for the same drawing. */
export function createCardReplies(context: Reports & Site & Operation) {
  const cards = new LRUCache<string, CachedCard>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ reply }) => Math.max(1, reply.size),
  });
  const drawings = createSingleFlight<Reply<"file"> | undefined>();

  async function draw(
    key: string,
    renderSvg: () => string | Promise<string>,
    { language, assessment }: DrawOptions,
  ): Promise<Reply<"file"> | undefined> {
    const png = await context.drawPng(renderSvg);
    if (png === undefined) return undefined;
    const reply = new Reply<"file">(
      { cacheControl: "public, max-age=300", shared: false, languages: [language] },
      { contentType: "image/png", content: png },
    );
    const shown = assessment === undefined ? {} : { assessment: new WeakRef(assessment) };
    cards.set(key, { reply, ...shown });
    return reply;
  }

  async function drawUnsurveyed(key: string, address: Address, { language, masked }: AddressCardOptions) {
    const svg = async () => {
      const answer = answerFromTables(await context.assessTables(address));
      return renderUnsurveyedCard(maskIf(masked, localizeAnswer(context, answer, language)));
    };
    return draw(key, svg, { language });
  }

  return {
    /** The card of an answer, or without one the card of an address that nobody has looked up. */
    async ofAddress(address: Address, answer: Answer | undefined, options: AddressCardOptions) {
      const { language, masked } = options;
      const subject = `${address.text} ${language} ${masked}`;
      if (answer === undefined) {
        const key = `${subject} ${context.classifier.version()}`;
        return cards.get(key)?.reply ?? drawings.run(key, () => drawUnsurveyed(key, address, options));
      }
      const { assessment, stale } = answer;
      const key = `${subject} ${stale ? "stale" : "known"}`;
      const known = cards.get(key);
      if (known?.assessment?.deref() === assessment) return known.reply;
      const svg = () => renderReportCard(maskIf(masked, localizeAnswer(context, answer, language)));
      return drawings.run(`${key} ${assessment.surveyedAt}`, () => draw(key, svg, { language, assessment }));
    },
    async ofNetwork(summary: NetworkSummary, language: Language) {
      const key = `net ${summary.prefix} ${language} ${context.classifier.version()}`;
      const svg = () => renderNetworkCard(summary, language, context.baseUrl);
      return cards.get(key)?.reply ?? drawings.run(key, () => draw(key, svg, { language }));
    },
    async ofPage(page: CardPage, language: Language) {
      const key = `page ${page} ${language}`;
      const svg = () => renderPageCard(page, language, context.baseUrl);
      return cards.get(key)?.reply ?? drawings.run(key, () => draw(key, svg, { language }));
    },
  };
}

function maskIf(masked: boolean, report: Report): Report {
  return masked ? { ...report, ip: maskAddress(report.ip) } : report;
}

interface DrawOptions {
  readonly language: Language;
  readonly assessment?: Assessment;
}
