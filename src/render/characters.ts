/** Bits of {@link traitsOf}: the two lowest hold the terminal cells that a character takes, 0 to 2. */
export const CELLS = 3;
/** The character must not begin a line. */
export const CLOSING = 8;
/** The character must not end a line. */
export const OPENING = 16;
/** A space or line break of any kind. */
const BLANK = 32;
/** Invisible, or changes its neighbours: control, bidi, zero-width, private use, unassigned. */
const INVISIBLE = 64;
/** Combines with the character before it. */
const MARK = 128;

const KNOWN = 4;

// Line breaking rules of GB/T 15834 and JIS X 4051, and the ASCII marks that follow a word.
const CLOSERS =
  "，。、；：？！）」』】》〉〕｝〗〙％‰℃…—–～〜·・ー々ゝゞ”’ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)]}%";
const OPENERS = "（「『【《〈〔｛〖〘“‘￥＄([{";

// Default_Ignorable_Code_Point: joiners, fillers, tags and variation selectors, which have no glyph (UAX #44).
const IS_INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const IS_BLANK = /[\t\n\v\f\r\u{85}\p{Z}]/u;
const IS_MARK = /\p{M}/u;
const IS_STACKED = /[\p{Mn}\p{Me}]/u;

// Filled on demand: texts use a few hundred different characters, and untouched pages of zeros cost no memory.
const table = new Uint8Array(0x110000);

/**
 * Returns the traits of a code point (0 to 10FFFF, lone surrogates included) as bits. Cells follow Unicode Standard
 * Annex #11, where ambiguous characters are narrow. Each code point counts by itself, so that the text also fits on a
 * terminal that cannot join a sequence.
 */
export function traitsOf(code: number): number {
  return table[code] || computeTraits(code);
}

function computeTraits(code: number): number {
  const character = String.fromCodePoint(code);
  let traits = KNOWN;
  if (IS_BLANK.test(character)) traits |= BLANK;
  else if (IS_INVISIBLE.test(character)) traits |= INVISIBLE;
  if (IS_MARK.test(character)) traits |= MARK;
  if (CLOSERS.includes(character)) traits |= CLOSING;
  if (OPENERS.includes(character)) traits |= OPENING;
  if (!IS_STACKED.test(character)) traits |= Math.min(Math.max(Bun.stringWidth(character), 1), 2);
  table[code] = traits;
  return traits;
}

/** Returns the terminal cells of a string: 2 for CJK, full-width characters and emoji, 0 for combining marks. */
export function displayWidth(text: string): number {
  let width = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x7f) width += 1;
    else if (unit < 0xd800 || unit > 0xdbff) width += traitsOf(unit) & CELLS;
    else {
      const code = text.codePointAt(index) ?? unit;
      width += traitsOf(code) & CELLS;
      if (code > 0xffff) index += 1;
    }
  }
  return width;
}

/** Longest string shown, in UTF-16 units. No honest name is longer. */
const MAX_LENGTH = 2000;

const BLANKS = /[\t\n\v\f\r\u{85}\p{Z}]+/gu;
const INVISIBLE_CHARACTERS = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/**
 * Makes a string from outside safe to display. Each control (escape sequences start with one), bidi, zero-width,
 * private-use or unassigned character becomes its visible code point, such as `\u{1b}`. Runs of blanks, line breaks
 * and tabs become one space, and only four combining marks in a row are kept.
 * Unicode Technical Report #36 describes the attacks that these characters make possible.
 */
export function sanitize(text: string): string {
  const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
  return isSafe(short) ? short : replaceUnsafe(short);
}

/** A fast check for the usual text. Surrogates count as unsafe here and take the slow way. */
function isSafe(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x20 && unit < 0x7f) continue;
    if ((traitsOf(unit) & (BLANK | INVISIBLE | MARK)) !== 0) return false;
  }
  return true;
}

function replaceUnsafe(text: string): string {
  return text
    .replace(BLANKS, " ")
    .replace(INVISIBLE_CHARACTERS, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(STACKED_MARKS, "$1");
}
