import type { Address } from "./address.ts";
import { addressFromWords } from "./address_from_words.ts";
import { SCAN, scanAddress, scannedWords } from "./scan_address.ts";

/** "[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]" */
const MAX_LENGTH = 47;

/**
 * Parses one IP address with exactly the strictness of `inet_pton`, or returns undefined.
 * The text of the result is in RFC 5952 form; `::ffff:a.b.c.d` in any spelling becomes that IPv4 address;
 * IPv4-compatible `::a.b.c.d` stays IPv6 and is written in hexadecimal groups. One pair of square brackets
 * around an IPv6 spelling is accepted. Leading zeros of IPv4, zone ids, prefixes, ports and blanks are not.
 */
export function parseAddress(input: string): Address | undefined {
  const length = input.length;
  if (length < 2 || length > MAX_LENGTH) return undefined;
  const bracketed = input.charCodeAt(0) === 91;
  if (bracketed && input.charCodeAt(length - 1) !== 93) return undefined;
  const found = bracketed ? scanAddress(input, 1, length - 1) : scanAddress(input, 0, length);
  if (found === SCAN.refused) return undefined;
  const w0 = scannedWords[0] ?? 0;
  if (found === SCAN.ipv4) {
    // A dotted quad without leading zeros has only one spelling.
    return bracketed ? undefined : { text: input, version: 4, words: [w0] };
  }
  const w1 = scannedWords[1] ?? 0;
  const w2 = scannedWords[2] ?? 0;
  if (found === SCAN.ipv6 || (w0 === 0 && w1 === 0 && w2 === 0xffff))
    return addressFromWords(6, scannedWords);
  const text = bracketed ? input.slice(1, -1) : input;
  return { text, version: 6, words: [w0, w1, w2, scannedWords[3] ?? 0] };
}
