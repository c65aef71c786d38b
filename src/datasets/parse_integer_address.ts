/**
 * Writes an IPv6 address given as one decimal number into `words` (four unsigned 32-bit, most significant first).
 * False when `text` is not a plain decimal number below 2^128; `words` is then undefined.
 */
export function parseIntegerAddress(text: string, words: Uint32Array): boolean {
  if (!/^[0-9]{1,39}$/.test(text)) return false;
  words.fill(0);
  for (let at = 0; at < text.length; at += CHUNK) {
    const chunk = text.slice(at, at + CHUNK);
    const scale = 10 ** chunk.length;
    let carry = Number(chunk);
    for (let w = 3; w >= 0; w--) {
      // Below 2^32 · 10^6 + 2^20, which a double holds exactly.
      const product = (words[w] ?? 0) * scale + carry;
      words[w] = product % WORD;
      carry = Math.floor(product / WORD);
    }
    if (carry > 0) return false;
  }
  return true;
}

const CHUNK = 6;
const WORD = 2 ** 32;
