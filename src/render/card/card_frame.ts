import { cardTextsOf } from "#locale";
import type { Band, Language } from "#report";
import COLOURS from "../colours.json" with { type: "json" };
import { renderCardArcs } from "../dial.ts";
import { type Html, html } from "../html/html.ts";
import { languageTagOf } from "../paths.ts";
import { fitParts, shortenTo, toDrawable, widthOf, writeRuns } from "./card_text.ts";

/** Size in pixels, as the link previews of most sites show it whole (https://ogp.me/). */
const CARD_WIDTH = 1200;
const CARD_HEIGHT = 630;

/** Top of the foot. */
export const FOOT_Y = 560;

/** Left edge of the text beside the dial, and its width. */
export const TEXT_X = 500;
export const TEXT_WIDTH = 640;

/** What a card is about: a band, an address without a score, or a page of the site. */
export type CardTone = Band | "none" | "site";

/** The colours behind the cards. White text on each has a contrast of 6 or more (WCAG 2.2, 1.4.3). */
export const GROUNDS: Readonly<Record<CardTone, string>> = COLOURS.card;

/** The drop of the brand in a box of 32 pixels. */
const DROP = "M16 2c5.6 6.8 10 11.6 10 17.6a10 10 0 0 1-20 0c0-6 4.4-10.8 10-17.6z";

interface CardParts {
  readonly language: Language;
  readonly tone: CardTone;
  /** Text at the left of the foot, beside the brand. */
  readonly host: string;
  /** Text at the right of the foot. */
  readonly foot: string;
  readonly body: Html;
}

/** The foot: where the host begins and the text at the right ends, the space between them, and the widest host. */
const HOST_X = 232;
const RIGHT = 1140;
const FOOT_GAP = 30;
const MOST_HOST = 520;
const FOOT_SIZE = 24;

/** Renders the frame of a share card as SVG: ground in the colour of the tone, contents, brand, host and foot. */
export function renderCardFrame({ language, tone, host, foot, body }: CardParts): string {
  const room = RIGHT - HOST_X - FOOT_GAP - widthOf(foot, FOOT_SIZE);
  const shownHost = shortenTo(toDrawable(host), FOOT_SIZE, Math.min(MOST_HOST, room));
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}" xml:lang="${languageTagOf(language)}" font-family="Noto Sans" font-weight="500" fill="#fff">
<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="${GROUNDS[tone]}"/>
<path d="${DROP}" transform="translate(770 -150) scale(24)" fill-opacity="0.05"/>
${body}
<rect y="${FOOT_Y}" width="${CARD_WIDTH}" height="${CARD_HEIGHT - FOOT_Y}" fill="#000" fill-opacity="0.22"/>
<path d="${DROP}" transform="translate(54 574) scale(1.3)"/>
<text x="104" y="607" font-size="34" font-weight="700">limpid</text>
<text x="${HOST_X}" y="606" font-size="${FOOT_SIZE}" fill-opacity="0.8">${writeRuns(shownHost)}</text>
<text x="${RIGHT}" y="606" font-size="${FOOT_SIZE}" text-anchor="end" fill-opacity="0.8">${writeRuns(foot)}</text>
</svg>
`.toString();
}

/** The pages with a share card of their own. */
export const CARD_PAGES = ["home", "method"] as const;
export type CardPage = (typeof CARD_PAGES)[number];

/** Renders the share card of a page as SVG. `origin` is the public origin without a trailing slash. */
export function renderPageCard(page: CardPage, language: Language, origin: string): string {
  const texts = cardTextsOf(language);
  const [title, lines] =
    page === "home" ? [texts.homeTitle, texts.homeLines] : [texts.methodTitle, texts.methodLines];
  const fitted = fitParts(title.split(" "), " ", { most: 76, least: 44, maxWidth: 660 });
  let y = 202;
  const titleRows = fitted.lines.map((line) => {
    y += fitted.size * 1.2;
    return html`<text x="480" y="${Math.round(y)}" font-size="${fitted.size}" font-weight="700">${writeRuns(line)}</text>\n`;
  });
  y += 20;
  const rows = lines.map((line) => {
    y += 48;
    const { size, lines: shown } = fitParts([line], "", { most: 31, least: 22, maxWidth: 680 });
    return html`<text x="480" y="${Math.round(y)}" font-size="${size}" fill-opacity="0.88">${writeRuns(shown[0] ?? "")}</text>\n`;
  });
  return renderCardFrame({
    language,
    tone: "site",
    host: origin.replace(/^https?:\/\//, ""),
    foot: "",
    body: html`<g transform="translate(-10 80)">${renderCardArcs({ purity: 88, low: 80 })}<path d="${DROP}" transform="translate(175 132) scale(5)"/></g>
${titleRows}${rows}`,
  });
}
