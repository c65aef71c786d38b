import type { Language } from "#report";
import { displayWidth } from "./display_width.ts";
import { type Html, html } from "./html.ts";

const SUBJECT_COLOUR = "#3b4048";

const HEIGHT = 20;
const PADDING = 6;
const BASELINE = 14;
// Widths in Verdana at 11 px, by kind of character; the text is fitted to its box, so near is near enough.
const WIDTHS: readonly (readonly [kind: RegExp, pixels: number])[] = [
  [/[ijl.,:;'| ]/, 3.6],
  [/[frtI()[\]/!-]/, 4.7],
  [/[mwMW@%]/, 10.4],
  [/[A-Z]/, 7.6],
  [/./u, 6.8],
];
const BOLD = 1.12;

/** What a badge says: a dark part, a coloured one, and the same in words for those who cannot see it. */
export interface BadgeParts {
  readonly language: Language;
  readonly subject: string;
  readonly answer: string;
  readonly title: string;
  /** Behind white text: contrast 4.5 or more (WCAG 2.2, 1.4.3). */
  readonly colour: string;
}

/**
 * A flat SVG badge, under 2 kB, without script, style or reference. The text is fitted to its box, whatever face it is
 * drawn in.
 */
export function drawBadge({ language, subject, answer, title, colour }: BadgeParts): Html {
  const left = widthOf(subject);
  const right = Math.ceil(widthOf(answer) * BOLD);
  const split = left + 2 * PADDING;
  const whole = split + right + 2 * PADDING;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${HEIGHT}" viewBox="0 0 ${whole} ${HEIGHT}" role="img" aria-labelledby="t" xml:lang="${language === "zh" ? "zh-Hans" : "en"}"><title id="t">${title}</title><rect width="${split}" height="${HEIGHT}" fill="${SUBJECT_COLOUR}"/><rect x="${split}" width="${whole - split}" height="${HEIGHT}" fill="${colour}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,Noto Sans CJK SC,PingFang SC,Microsoft YaHei,sans-serif" font-size="11"><text x="${PADDING}" y="${BASELINE}" textLength="${left}">${subject}</text><text x="${split + PADDING}" y="${BASELINE}" textLength="${right}" font-weight="700">${answer}</text></g></svg>
`;
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
