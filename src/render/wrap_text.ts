import { CELLS, CLOSING, OPENING, traitsOf } from "./character_traits.ts";

const BLANK_UNIT = 0x20;
/** An ideograph and its full stop: too little for a line of its own, where the column is roomy. */
const ORPHAN_CELLS = 4;
const ROOMY_CELLS = 30;

/**
 * Breaks a text into lines of at most `width` cells, `width` being 4 or more: between words, between ideographs,
 * never before closing or after opening punctuation nor between a number and its measure word, and leaves no lone
 * ideograph for the last line. A word longer than a line, such as a URL, is cut where the line ends: only blanks
 * are ever lost.
 */
export function wrapText(text: string, width: number): string[] {
  const kind = inspect(text);
  const tidy = kind === "untidy" ? text.trim().replace(/ +/g, " ") : text;
  // No character takes more cells than twice its UTF-16 units.
  if (tidy.length * 2 <= width) return [tidy];
  if (kind !== "ascii") return wrapAny(tidy, width);
  return tidy.length <= width ? [tidy] : wrapAscii(tidy, width);
}

/** In one pass, since most texts are short and every one comes by here. */
function inspect(text: string): "ascii" | "other" | "untidy" {
  let kind: "ascii" | "other" = "ascii";
  let before = BLANK_UNIT;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7e) kind = "other";
    else if (unit === BLANK_UNIT && before === BLANK_UNIT) return "untidy";
    before = unit;
  }
  return before === BLANK_UNIT && text !== "" ? "untidy" : kind;
}

/** One cell a character, and blanks the only places to break: found from the line's end backwards. */
function wrapAscii(text: string, width: number): string[] {
  const lines: string[] = [];
  let start = 0;
  while (text.length - start > width) {
    const blank = text.lastIndexOf(" ", start + width);
    const end = blank > start ? blank : cutBefore(text, start, start + width);
    lines.push(text.slice(start, end));
    start = blank > start ? end + 1 : end;
  }
  lines.push(text.slice(start));
  return lines;
}

function wrapAny(tidy: string, width: number): string[] {
  const lines: string[] = [];
  let start = 0;
  let lastStart = 0;
  let used = 0;
  // The last place to break: where the line would end, where the next would begin, and the cells before that.
  let end = 0;
  let next = 0;
  let cellsBefore = 0;
  let wide = false;
  let bound = true;

  for (let index = 0; index < tidy.length; ) {
    const unit = tidy.charCodeAt(index);
    if (unit === BLANK_UNIT) {
      if (stranded(tidy, index + 1)) {
        used += 1;
        bound = true;
        index += 1;
        continue;
      }
      end = index;
      next = index + 1;
      used += 1;
      cellsBefore = used;
      bound = true;
      index += 1;
      continue;
    }
    const code = unit >= 0xd800 && unit < 0xdc00 ? (tidy.codePointAt(index) ?? unit) : unit;
    const traits = traitsOf(code);
    const cells = traits & CELLS;
    const clings = (traits & CLOSING) !== 0 || cells === 0;
    if (!(bound || clings) && (wide || cells === 2)) {
      end = index;
      next = index;
      cellsBefore = used;
    }
    while (used + cells > width && index > start) {
      if (end <= start) {
        end = cutBefore(tidy, start, index);
        next = end;
        cellsBefore = measure(tidy, start, end);
        if (tidy.charCodeAt(end - 1) === BLANK_UNIT) end -= 1;
        else if (tidy.charCodeAt(next) === BLANK_UNIT) {
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
    wide = cells === 2 || (clings && wide);
    bound = (traits & OPENING) !== 0;
    index += code > 0xffff ? 2 : 1;
  }
  lines.push(tidy.slice(start));
  if (used > ORPHAN_CELLS || lines.length === 1 || width < ROOMY_CELLS) return lines;
  const eased = wrapAny(tidy.slice(lastStart), width - 2);
  return eased.length === 2 ? [...lines.slice(0, -2), ...eased] : lines;
}

/**
 * Whether a line must not begin here, after a blank: with a mark of CJK punctuation, or with the measure word of
 * the number before the blank. A word may begin with an ASCII mark.
 */
function stranded(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0x7f) return false;
  const traits = traitsOf(unit);
  if ((traits & CLOSING) !== 0) return true;
  const before = text.charCodeAt(index - 2);
  return (traits & CELLS) === 2 && before >= 0x30 && before <= 0x39;
}

/** Where to cut a word that has no place to break: here, or a little before, so that no mark stands alone. */
function cutBefore(text: string, start: number, index: number): number {
  for (let place = index; place > start + 1 && place > index - 8; place--) {
    const traits = traitsOf(text.codePointAt(place) ?? 0);
    const before = traitsOf(text.charCodeAt(place - 1));
    const splits = (text.charCodeAt(place) & 0xfc00) === 0xdc00;
    if (!splits && (traits & CLOSING) === 0 && (traits & CELLS) !== 0 && (before & OPENING) === 0)
      return place;
  }
  return index;
}

function measure(text: string, start: number, end: number): number {
  let cells = 0;
  for (let index = start; index < end; index++) {
    const code = text.codePointAt(index) ?? 0;
    cells += traitsOf(code) & CELLS;
    if (code > 0xffff) index += 1;
  }
  return cells;
}
