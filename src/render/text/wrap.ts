import { CELLS, CLOSING, displayWidth, OPENING, traitsOf } from "../characters.ts";
import trade from "./terms.json" with { type: "json" };

const SPACE = 0x20;
const NO_BREAK = "\u{a0}";
/** An ideograph and a full stop. A last line this short is avoided in columns of WIDE_COLUMN_CELLS or more. */
const ORPHAN_CELLS = 4;
const WIDE_COLUMN_CELLS = 30;

const SEGMENTER = new Intl.Segmenter("zh", { granularity: "word" });

/** In characters. */
const LONGEST_WORD = 8;

/** Words of the trade that the dictionary of the segmenter does not have. */
const TERMS: ReadonlySet<string> = new Set(trade);

/** Whether a text has neither a space nor an ideograph, so that it is one word. */
function isLatin(text: string): boolean {
  return !/[ \u{2e80}-\u{10ffff}]/u.test(text);
}

/** Splits a text into words, also Chinese ones, each with the marks that must not be separated from it. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const { segment } of SEGMENTER.segment(text)) {
    const last = words.at(-1);
    const isGlued =
      last !== undefined &&
      (TERMS.has(last + segment) ||
        /^[，。；：、）」 ]/u.test(segment) ||
        /[（「]$/u.test(last) ||
        isLatin(last + segment));
    if (isGlued) words[words.length - 1] = last + segment;
    else words.push(segment);
  }
  return words;
}

/**
 * Returns the beginning of the word around `index`, which is between two ideographs of the line that begins at `start`,
 * or `index` if no line may begin there. Only the neighbourhood is split: splitting whole texts takes most of the time
 * of a rendering.
 */
function findWordStart(text: string, start: number, index: number): number {
  const isTerm = (before: number, after: number) => TERMS.has(text.slice(index - before, index + after));
  const from = Math.max(start, index - LONGEST_WORD);
  const word = SEGMENTER.segment(text.slice(from, index + LONGEST_WORD)).containing(index - from)?.index ?? 0;
  const place = isTerm(2, 1) ? index - 2 : isTerm(1, 1) || isTerm(1, 2) ? index - 1 : from + word;
  const first = traitsOf(text.codePointAt(place) ?? 0);
  const before = text.charCodeAt(place - 1);
  const isPlace =
    place > start &&
    (before !== SPACE || !mustNotBegin(text, place)) &&
    (first & CLOSING) === 0 &&
    (first & CELLS) !== 0 &&
    (traitsOf(before) & OPENING) === 0;
  return isPlace ? place : index;
}

/**
 * Breaks a text into lines of at most `width` cells; `width` must be 4 or more. Lines break between words, also Chinese
 * ones, but not before closing or after opening punctuation, not between a number and its measure word, and not
 * before a single last ideograph. A word longer than a line, such as a URL, is cut at the end of the line. Only spaces
 * are removed.
 */
export function wrapText(text: string, width: number): string[] {
  const tidy = /^ | $| {2}/.test(text) ? text.trim().replace(/ +/g, " ") : text;
  // No character takes more cells than twice its UTF-16 units.
  if (tidy.length * 2 <= width) return [tidy];
  return wrapAny(tidy, width);
}

function wrapAny(tidy: string, width: number): string[] {
  const lines: string[] = [];
  let start = 0;
  let lastStart = 0;
  let used = 0;
  // The last place to break: the end of the line, the start of the next line, and the cells before that.
  let end = 0;
  let next = 0;
  let cellsBefore = 0;
  let wide = false;
  // Whether the line must not break before the next character.
  let glued = true;

  for (let index = 0; index < tidy.length; ) {
    const unit = tidy.charCodeAt(index);
    if (unit === SPACE) {
      used += 1;
      if (!mustNotBegin(tidy, index + 1)) {
        end = index;
        next = index + 1;
        cellsBefore = used;
      }
      glued = true;
      index += 1;
      continue;
    }
    const code = unit >= 0xd800 && unit < 0xdc00 ? (tidy.codePointAt(index) ?? unit) : unit;
    const traits = traitsOf(code);
    const cells = traits & CELLS;
    // Whether the character belongs to the one before it.
    const attached = (traits & CLOSING) !== 0 || cells === 0;
    if (!(glued || attached) && (wide || cells === 2)) {
      end = index;
      next = index;
      cellsBefore = used;
    }
    while (used + cells > width && index > start) {
      if (end > start && next === end) {
        next = findWordStart(tidy, start, end);
        cellsBefore -= displayWidth(tidy.slice(next, end));
        end = tidy.charCodeAt(next - 1) === SPACE ? next - 1 : next;
      } else if (end <= start) {
        end = cutBefore(tidy, start, index);
        next = end;
        cellsBefore = displayWidth(tidy.slice(start, end));
        if (tidy.charCodeAt(end - 1) === SPACE) end -= 1;
        else if (tidy.charCodeAt(next) === SPACE) {
          next += 1;
          cellsBefore += 1;
        }
      }
      lines.push(tidy.slice(start, end));
      lastStart = start;
      start = next;
      used -= cellsBefore;
    }
    used += cells;
    wide = cells === 2 || (attached && wide);
    glued = (traits & OPENING) !== 0;
    index += code > 0xffff ? 2 : 1;
  }
  lines.push(tidy.slice(start));
  if (used > ORPHAN_CELLS || lines.length === 1 || width < WIDE_COLUMN_CELLS) return lines;
  const narrower = wrapAny(tidy.slice(lastStart), width - 2);
  return narrower.length === 2 ? [...lines.slice(0, -2), ...narrower] : lines;
}

/**
 * Whether a line must not begin at `index`, which follows a space: with CJK punctuation, or with the measure word
 * of the number before the space, which is not part of a name such as IPv6. A line may begin with an ASCII mark.
 */
function mustNotBegin(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0x7f) return false;
  const traits = traitsOf(unit);
  if ((traits & CLOSING) !== 0) return true;
  return (traits & CELLS) === 2 && /(?<![A-Za-z])\d $/.test(text.slice(Math.max(0, index - 3), index));
}

/** Returns where to cut a word without a place to break: after a hyphen, at `index`, or a little before punctuation. */
function cutBefore(text: string, start: number, index: number): number {
  const hyphen = text.lastIndexOf("-", index - 1);
  if (hyphen > start + (index - start) / 2 && traitsOf(text.codePointAt(hyphen + 1) ?? 0) & CELLS)
    return hyphen + 1;
  for (let place = index; place > start + 1 && place > index - 8; place--) {
    const traits = traitsOf(text.codePointAt(place) ?? 0);
    const before = traitsOf(text.charCodeAt(place - 1));
    const splits = (text.charCodeAt(place) & 0xfc00) === 0xdc00;
    if (!splits && (traits & CLOSING) === 0 && (traits & CELLS) !== 0 && (before & OPENING) === 0)
      return place;
  }
  return index;
}

/**
 * Breaks a list into lines of at most `width` cells, between items where possible. `prefix` comes first, `separator`
 * follows every item except the last; a space at its end is dropped at the end of a line. Items must be sanitized.
 * Spaces around them are removed.
 */
export function wrapItems(
  prefix: string,
  items: readonly string[],
  separator: string,
  width: number,
): string[] {
  const mark = separator.trimEnd();
  const markCells = displayWidth(mark);
  const gap = separator.length - mark.length;
  const lines = prefix === "" ? [] : wrapText(prefix, width);
  let line = lines.pop() ?? "";
  let used = displayWidth(line);
  // A full-width character needs no space after it.
  const gapAfterPrefix = prefix !== "" && line.charCodeAt(line.length - 1) < 0x7f ? 1 : 0;
  for (let index = 0; index < items.length; index++) {
    const item = (items[index] ?? "").trim();
    const isLast = index === items.length - 1;
    const cells = displayWidth(item) + (isLast ? 0 : markCells);
    const blank = used === 0 || cells === 0 ? 0 : index === 0 ? gapAfterPrefix : gap;
    if (used + blank + cells <= width) {
      line += " ".repeat(blank);
      line += item;
      if (!isLast) line += mark;
      used += blank + cells;
      continue;
    }
    if (used > 0) lines.push(line);
    line = isLast ? item : item + mark;
    used = cells;
    if (cells > width) {
      lines.push(...wrapText(line, width));
      line = lines.pop() ?? "";
      used = displayWidth(line);
    }
  }
  lines.push(line);
  return lines;
}

/** Breaks a text like {@link wrapText}, but not at a space inside one of `names`. */
export function wrapAround(text: string, width: number, names: readonly string[]): string[] {
  const bind = (bound: string, name: string) =>
    bound.replaceAll(name, () => name.replaceAll(/ (?=[!-~])/g, NO_BREAK));
  return wrapText(names.reduce(bind, text), width).map((line) => line.replaceAll(NO_BREAK, " ").trim());
}

/** Breaks a list in one text, so that no claim is on two lines, and no item of a claim that is wider than a line. */
export function wrapAfterCommas(text: string, width: number): string[] {
  const items = text
    .split(/(?<=[;\uff1b]) ?/)
    .flatMap((claim) =>
      displayWidth(claim) <= width ? [claim] : claim.split(/(?<=,) |(?<=[\uff0c\u3001])/),
    );
  return wrapItems("", items, text.includes(", ") ? " " : "", width);
}
