import { plainWordsOf, wordsOf } from "#locale";
import type { Band, Report } from "#report";
import { displayWidth } from "./display_width.ts";
import { html } from "./html.ts";
import { neutralise } from "./neutralise.ts";

const SUBJECT_COLOUR = "#3b4048";

/** Behind white text, contrast 4.5 or more each (WCAG 2.2, 1.4.3). */
const COLOURS: Readonly<Record<Band, string>> = {
  pristine: "#116329",
  clean: "#1a7f37",
  neutral: "#57606a",
  suspicious: "#8a5a00",
  risky: "#b54708",
  dangerous: "#b42318",
};

const HEIGHT = 20;
const PADDING = 6;
const BASELINE = 14;
const LONGEST = 24;

// Widths in Verdana at 11 px, by kind of character; the text is fitted to its box, so near is near enough.
const WIDTHS: readonly (readonly [kind: RegExp, pixels: number])[] = [
  [/[ijl.,:;'| ]/, 3.6],
  [/[frtI()[\]/!-]/, 4.7],
  [/[mwMW@%]/, 10.4],
  [/[A-Z]/, 7.6],
  [/./u, 6.8],
];
const BOLD = 1.12;

/**
 * The band and the purity as a flat SVG badge for embedding, in the report's language (`lang` absent = Chinese),
 * under 2 kB, without script, style or reference: its `title` tells the same to those who cannot see it, with the
 * confidence. The text is fitted to its box, whatever face it is drawn in.
 */
export function renderBadge(report: Report): string {
  const language = report.lang ?? "zh";
  const texts = wordsOf(language);
  const plain = plainWordsOf(language);
  const { risk } = report;
  const subject = plain.badge;
  const answer = `${risk.purity} ${clip(neutralise(risk.label))}`;
  const confidence = plain.pair(texts.headings.confidence, texts.confidences[risk.confidence]);
  const title = texts.bracket(
    plain.pair(
      `${subject} ${clip(neutralise(report.ip), 45)}`,
      `${risk.purity}/100 ${clip(neutralise(risk.label))}`,
    ),
    confidence,
  );
  const left = widthOf(subject);
  const right = Math.ceil(widthOf(answer) * BOLD);
  const split = left + 2 * PADDING;
  const whole = split + right + 2 * PADDING;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${HEIGHT}" viewBox="0 0 ${whole} ${HEIGHT}" role="img" aria-labelledby="t" xml:lang="${language === "zh" ? "zh-Hans" : "en"}"><title id="t">${title}</title><rect width="${split}" height="${HEIGHT}" fill="${SUBJECT_COLOUR}"/><rect x="${split}" width="${whole - split}" height="${HEIGHT}" fill="${COLOURS[risk.level]}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,Noto Sans CJK SC,PingFang SC,Microsoft YaHei,sans-serif" font-size="11"><text x="${PADDING}" y="${BASELINE}" textLength="${left}">${subject}</text><text x="${split + PADDING}" y="${BASELINE}" textLength="${right}" font-weight="700">${answer}</text></g></svg>
`.toString();
}

/** Pixels at 11 px, rounded up. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    const pixels = WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? 0;
    width += displayWidth(character) === 2 ? 11 : pixels;
  }
  return Math.ceil(width);
}

function clip(text: string, longest = LONGEST): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest).join("")}...`;
}
