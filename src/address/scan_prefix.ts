import type { Prefix } from "./prefix.ts";
import { prefixFromWords } from "./prefix_from_words.ts";
import { SCAN, scanAddress, scannedWords } from "./scan_address.ts";
import { wordMask } from "./word_mask.ts";

/** "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128" */
const MAX_LENGTH = 49;

/** Parses a CIDR block; `loose` clears host bits instead of refusing them. */
export function scanPrefix(text: string, loose: boolean): Prefix | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const slash = text.indexOf("/");
  const found = scanAddress(text, 0, slash < 0 ? text.length : slash);
  if (found === SCAN.refused) return undefined;
  const version = found === SCAN.ipv4 ? 4 : 6;
  const wordCount = version === 4 ? 1 : 4;
  const bits = slash < 0 ? wordCount * 32 : readBits(text, slash + 1);
  if (bits < 0 || bits > wordCount * 32) return undefined;
  if (!loose) {
    for (let index = 0; index < wordCount; index++) {
      const word = scannedWords[index] ?? 0;
      if ((word & wordMask(bits, index)) >>> 0 !== word) return undefined;
    }
  }
  return prefixFromWords(version, scannedWords.subarray(0, wordCount), bits);
}

/** One to three decimal digits without a leading zero, or -1. */
function readBits(text: string, start: number): number {
  const length = text.length - start;
  if (length < 1 || length > 3 || (length > 1 && text.charCodeAt(start) === 48)) return -1;
  let bits = 0;
  for (let i = start; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    bits = bits * 10 + digit;
  }
  return bits;
}
