import type { Address } from "./address.ts";
import { findZeroRun } from "./find_zero_run.ts";

/**
 * Builds the address that `words` (unsigned 32-bit, most significant first; one for 4, four for 6) stand for.
 * Four words of an IPv4-mapped address (::ffff:0:0/96, RFC 4291 section 2.5.5.2) give that IPv4 address.
 * @throws RangeError when the number of words does not fit the version.
 */
export function addressFromWords(version: 4 | 6, words: ArrayLike<number>): Address {
  if (words.length !== (version === 4 ? 1 : 4)) {
    throw new RangeError(`Cannot build an IPv${version} address from ${words.length} words`);
  }
  const w0 = (words[0] ?? 0) >>> 0;
  if (version === 4) return { text: ipv4Text(w0), version, words: [w0] };
  const w1 = (words[1] ?? 0) >>> 0;
  const w2 = (words[2] ?? 0) >>> 0;
  const w3 = (words[3] ?? 0) >>> 0;
  if (w0 === 0 && w1 === 0 && w2 === 0xffff) return { text: ipv4Text(w3), version: 4, words: [w3] };
  const all = [w0, w1, w2, w3];
  return { text: ipv6Text(all), version, words: all };
}

function ipv4Text(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

/** RFC 5952 section 4; IPv4-compatible and translated addresses are written in hexadecimal groups like any other. */
function ipv6Text(words: readonly number[]): string {
  const run = findZeroRun(words);
  const runStart = run === 0 ? -1 : run >> 4;
  const runEnd = runStart + (run & 15);
  let text = "";
  for (let g = 0; g < 8; g++) {
    if (g === runStart) {
      text += "::";
      g = runEnd - 1;
      continue;
    }
    if (g !== 0 && g !== runEnd) text += ":";
    const word = words[g >> 1] ?? 0;
    text += ((g & 1) === 0 ? word >>> 16 : word & 0xffff).toString(16);
  }
  return text;
}
