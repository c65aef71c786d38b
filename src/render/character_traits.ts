/** Bits of {@link traitsOf}: the two lowest hold the cells a character takes, 0 to 2. */
export const CELLS = 3;
/** May not begin a line. */
export const CLOSING = 8;
/** May not end a line. */
export const OPENING = 16;
/** A blank or line break of any kind. */
export const BLANK = 32;
/** Shows no glyph of its own, or acts on its neighbours: control, bidi, zero-width, private, unassigned. */
export const UNSEEN = 64;
/** Combines with the character before it. */
export const MARK = 128;

const KNOWN = 4;

// Line breaking of GB/T 15834 and JIS X 4051, with the ASCII marks that follow a word.
const CLOSERS =
  "，。、；：？！）」』】》〉〕｝〗〙％‰℃…—–～〜·・ー々ゝゞ”’ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)]}%";
const OPENERS = "（「『【《〈〔｛〖〘“‘￥＄([{";

// Default_Ignorable: what no glyph shows, such as joiners, fillers, tags and variation selectors (UAX #44).
const IS_UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const IS_BLANK = /[\t\n\v\f\r\u{85}\p{Z}]/u;
const IS_MARK = /\p{M}/u;
const IS_STACKED = /[\p{Mn}\p{Me}]/u;

// Filled as characters are met: a text meets a few hundred of them, and no page of zeros is touched before.
const table = new Uint8Array(0x110000);

/**
 * What a code point (0 to 10FFFF, lone surrogates included) is to a line of text, as bits. Cells follow
 * Unicode Standard Annex #11 with ambiguous characters narrow; each is counted by itself, so that a sequence
 * a terminal does not know how to join still fits.
 */
export function traitsOf(code: number): number {
  return table[code] || learn(code);
}

function learn(code: number): number {
  const character = String.fromCodePoint(code);
  let traits = KNOWN;
  if (IS_BLANK.test(character)) traits |= BLANK;
  else if (IS_UNSEEN.test(character)) traits |= UNSEEN;
  if (IS_MARK.test(character)) traits |= MARK;
  if (CLOSERS.includes(character)) traits |= CLOSING;
  if (OPENERS.includes(character)) traits |= OPENING;
  if (!IS_STACKED.test(character)) traits |= Math.min(Math.max(Bun.stringWidth(character), 1), 2);
  table[code] = traits;
  return traits;
}
