import { sanitize } from "../characters.ts";
import { type Html, html } from "../html/html.ts";
import { splitWords } from "../text/wrap.ts";
import ideographs from "./ideographs.json" with { type: "json" };
import widths from "./widths.json" with { type: "json" };

/** The ideographs that the fonts of the share cards have. `src/build/card_fonts.ts` writes them. */
const IDEOGRAPHS: ReadonlySet<string> = new Set(ideographs);

/** Letters and marks that the fonts of the share cards have; `src/build/card_characters.ts` has the same ranges. */
const LETTERS =
  /^[\u{20}-\u{7e}\u{a0}-\u{17f}\u{1a0}\u{1a1}\u{1af}\u{1b0}\u{218}-\u{21b}\u{386}\u{388}-\u{38a}\u{391}-\u{3a1}\u{3a3}-\u{3ce}\u{400}-\u{45f}\u{1ea0}-\u{1ef9}\u{2010}-\u{2015}\u{2018}-\u{201e}\u{2020}-\u{2022}\u{2026}\u{2212}]$/u;

/** Stands for one or more characters without a glyph. */
export const MISSING = "\u2026";

/** Widths in Noto Sans Bold, in thousandths of the font size. A letter that is not here has about `OTHER_LETTER`. */
const WIDTHS: Readonly<Record<string, number>> = widths;
const OTHER_LETTER = 760;
const IDEOGRAPH = 1000;

/** Whether the fonts of the share cards have a glyph for the character. */
export function isDrawable(character: string): boolean {
  return LETTERS.test(character) || IDEOGRAPHS.has(character);
}

/** Sanitizes a text and replaces what the fonts cannot draw: an accent falls away, any other run becomes `…`. */
export function toDrawable(text: string): string {
  let result = "";
  for (const character of sanitize(text).normalize("NFC")) {
    const base = character.normalize("NFD").replaceAll(/\p{M}/gu, "");
    if (isDrawable(character)) result += character;
    else if (base.length > 0 && [...base].every(isDrawable)) result += base;
    else if (!result.endsWith(MISSING)) result += MISSING;
  }
  return result.trim();
}

/** The width of a text in bold in pixels: exact for ASCII, otherwise an estimate. */
export function widthOf(text: string, size: number): number {
  let width = 0;
  for (const character of text)
    width += WIDTHS[character] ?? (character < "\u3000" ? OTHER_LETTER : IDEOGRAPH);
  return (width * size) / 1000;
}

/** Cuts a text that is too wide, and ends it with `…`. */
export function shortenTo(text: string, size: number, maxWidth: number): string {
  if (widthOf(text, size) <= maxWidth) return text;
  const characters = [...text];
  while (characters.length > 1 && widthOf(`${characters.join("")}${MISSING}`, size) > maxWidth)
    characters.pop();
  const cut = characters.join("");
  // A name ends after a word, unless little of it would be left.
  const end = cut.lastIndexOf(" ");
  return `${cut.slice(0, end > cut.length / 2 ? end : undefined).trimEnd()}${MISSING}`;
}

/** Breaks a sentence into at most `maxLines` lines, between words, also Chinese ones; the last line may be cut. */
export function wrapTo(text: string, size: number, maxWidth: number, maxLines: number): readonly string[] {
  const words = splitWords(text);
  const lines: string[] = [];
  let line = "";
  for (const [index, word] of words.entries()) {
    if (widthOf((line + word).trimEnd(), size) <= maxWidth) line += word;
    else if (lines.length + 1 < maxLines) {
      lines.push(line.trim());
      line = word;
    } else {
      line = shortenTo(line + words.slice(index).join(""), size, maxWidth);
      break;
    }
  }
  return [...lines, line.trim()].filter((one) => one !== "");
}

/** A text broken into lines, and the font size at which each line fits. */
export interface FittedText {
  readonly lines: readonly string[];
  readonly size: number;
}

/**
 * Breaks a text between its `parts` into at most two lines, at the largest size between `least` and `most` that fits.
 * What does not fit at the least size is cut.
 */
export function fitParts(
  parts: readonly string[],
  glue: string,
  { most, least, maxWidth }: { readonly most: number; readonly least: number; readonly maxWidth: number },
): FittedText {
  const whole = parts.join(glue);
  for (let size = most; size >= least; size -= 2) {
    if (widthOf(whole, size) <= maxWidth) return { lines: [whole], size };
    // One line may be a quarter smaller than two.
    if (size > most * 0.75) continue;
    const lines = breakInTwo(parts, glue, Math.min(most, size * 1.3), maxWidth);
    if (lines !== undefined) return { lines, size: Math.min(most, size * 1.3) };
  }
  return { lines: [shortenTo(whole, least, maxWidth)], size: least };
}

/** Breaks a text between its `parts` into two lines; undefined if one of them is too wide. */
export function breakInTwo(
  parts: readonly string[],
  glue: string,
  size: number,
  maxWidth: number,
): readonly string[] | undefined {
  for (let count = parts.length - 1; count > 0; count -= 1) {
    const first = parts.slice(0, count).join(glue);
    const second = parts.slice(count).join(glue);
    if (widthOf(first, size) <= maxWidth)
      return widthOf(second, size) <= maxWidth ? [first, second] : undefined;
  }
  return undefined;
}

/** Writes the contents of a text element. Each run of ideographs names its font: a fallback takes any weight. */
export function writeRuns(text: string): Html {
  const runs = text.match(/[\u{2e80}-\u{10ffff}]+|[^\u{2e80}-\u{10ffff}]+/gu) ?? [];
  return html`${runs.map((run) =>
    /^[\u{2e80}-\u{10ffff}]/u.test(run) ? html`<tspan font-family="Noto Sans SC">${run}</tspan>` : run,
  )}`;
}
