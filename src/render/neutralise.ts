import { BLANK, MARK, traitsOf, UNSEEN } from "./character_traits.ts";

/** Longest string shown, in UTF-16 units; anything longer is nobody's honest name. */
const SHOWN_LENGTH = 2000;

const BLANKS = /[\t\n\v\f\r\u{85}\p{Z}]+/gu;
const UNSEEN_ONES = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/**
 * Makes a string from outside harmless to look at: every control (escape sequences start with one), bidi,
 * zero-width, private-use or unassigned character becomes its code point in view, such as `\u{1b}`;
 * blanks of every kind, line breaks and tabs become one blank, piles of combining marks are cut after four.
 * What these characters can do in a source or terminal: Unicode Technical Report #36.
 */
export function neutralise(text: string): string {
  const short = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}...` : text;
  return isHonest(short) ? short : expose(short);
}

/** Nothing in it acts; surrogates are left to the careful way. */
function isHonest(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x20 && unit < 0x7f) continue;
    if ((traitsOf(unit) & (BLANK | UNSEEN | MARK)) !== 0) return false;
  }
  return true;
}

function expose(text: string): string {
  return text
    .replace(BLANKS, " ")
    .replace(UNSEEN_ONES, (unseen) => `\\u{${(unseen.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(PILED_MARKS, "$1");
}
