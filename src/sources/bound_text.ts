const MAX_CHARACTERS = 200;

/** Printable ASCII with single blanks inside: nothing to clean, and what most words are made of. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** Cleans one line of foreign text: no control, bidi, invisible or unpaired characters, blanks folded. */
export function boundText(text: string, maxCharacters = MAX_CHARACTERS): string {
  if (text.length <= maxCharacters && PLAIN.test(text)) return text;
  const clean = text
    .slice(0, maxCharacters * 8)
    .toWellFormed()
    .replaceAll(/(?![\t\n\v\f\r\u0085])[\p{Cc}\p{Cf}]/gu, "")
    .replaceAll(/[\p{Zs}\p{Zl}\p{Zp}\t\n\v\f\r\u0085]+/gu, " ")
    .trim();
  return clean.length <= maxCharacters ? clean : Array.from(clean).slice(0, maxCharacters).join("").trim();
}
