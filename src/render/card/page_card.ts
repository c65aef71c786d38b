import { cardTextsOf } from "#locale";
import type { Language } from "#report";
import { renderCardArcs } from "../dial.ts";
import { html } from "../html/html.ts";
import { DROP, renderCardFrame } from "./card_frame.ts";
import { fitParts, writeRuns } from "./card_text.ts";

/** The pages with a share card of their own. */
export const CARD_PAGES = ["home", "method"] as const;
export type CardPage = (typeof CARD_PAGES)[number];

/** Renders the share card of a page as SVG. `origin` is the public origin without a trailing slash. */
export function renderPageCard(page: CardPage, language: Language, origin: string): string {
  const texts = cardTextsOf(language);
  const [title, lines] =
    page === "home" ? [texts.homeTitle, texts.homeLines] : [texts.methodTitle, texts.methodLines];
  const fitted = fitParts(title.split(" "), " ", { most: 76, least: 44, maxWidth: 660 });
  let y = 190;
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
    body: html`<g transform="translate(-10 40)">${renderCardArcs({ purity: 88, low: 80 })}<path d="${DROP}" transform="translate(175 160) scale(5)"/></g>
${titleRows}${rows}`,
  });
}
