/** Longest string shown, in UTF-16 units; anything longer is nobody's honest name. */
const SHOWN_LENGTH = 2000;

// Default_Ignorable: what no glyph shows, such as joiners, fillers, tags and variation selectors (UAX #44).
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Makes a string from outside harmless to look at: every control (escape sequences start with one), bidi,
 * zero-width, private-use or unassigned character becomes its code point in view, such as `\u{1b}`;
 * blanks of every kind, line breaks and tabs become one blank, piles of combining marks are cut after four.
 * What these characters can do in a source or terminal: Unicode Technical Report #36.
 */
export function neutralise(text: string): string {
  const short = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}...` : text;
  if (PLAIN.test(short)) return short;
  return short
    .replace(/[\t\n\v\f\r\u{85}\p{Z}]+/gu, " ")
    .replace(UNSEEN, (unseen) => `\\u{${(unseen.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(PILED_MARKS, "$1");
}
