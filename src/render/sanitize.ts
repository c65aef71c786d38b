import { BLANK, INVISIBLE, MARK, traitsOf } from "./characters.ts";

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
