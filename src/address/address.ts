import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * One IP address in canonical form.
 * `text` is dotted IPv4 or RFC 5952 IPv6; `words` holds the address as unsigned 32-bit integers,
 * most significant first: one for IPv4, four for IPv6. `::ffff:a.b.c.d` never occurs: it is IPv4.
 */
export interface Address {
  readonly text: string;
  readonly version: 4 | 6;
  readonly words: readonly number[];
}

/** The longest accepted spelling: "[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]". */
const MAX_LENGTH = 47;

/**
 * Parses one IP address with exactly the strictness of `inet_pton`, or returns undefined.
 * The text of the result is in RFC 5952 form; `::ffff:a.b.c.d` in any spelling becomes that IPv4 address;
 * IPv4-compatible `::a.b.c.d` stays IPv6 and is written in hexadecimal groups. One pair of square brackets
 * around an IPv6 spelling is accepted. Leading zeros of IPv4, zone ids, prefixes, ports and blanks are not.
 */
export function parseAddress(input: string): Address | undefined {
  const words = parseWords(input);
  return words && addressFromWords(words.length === 1 ? 4 : 6, words);
}

/** Like {@link parseAddress}, but gives only the words: for large lists whose text is not needed. */
export function parseWords(input: string): readonly number[] | undefined {
  if (input.length > MAX_LENGTH) return undefined;
  const isBracketed = input.startsWith("[") && input.endsWith("]");
  const words = readWords(isBracketed ? input.slice(1, -1) : input);
  return words === undefined || (isBracketed && words.length === 1) ? undefined : foldMapped(words);
}

/**
 * Reads a spelling without brackets into its words: one for IPv4, four for IPv6 and for a mapped address.
 * `isIP` decides what is an address, because ipaddr.js alone accepts octal, hexadecimal and short forms.
 */
export function readWords(text: string): readonly number[] | undefined {
  const version = isIP(text);
  if (version === 4) {
    const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(text).octets;
    return [((a << 24) | (b << 16) | (c << 8) | d) >>> 0];
  }
  if (version === 0 || text.includes("%")) return undefined;
  // ipaddr.js reads "::a.b.c.d" as "::ffff:a.b.c.d"; with a zero group written out it reads the address correctly.
  const { parts } = ipaddr.IPv6.parse(text.includes(".") ? text.replace(/^::(?=\d+\.)/, "::0:") : text);
  return [0, 2, 4, 6].map((at) => (((parts[at] ?? 0) << 16) | (parts[at + 1] ?? 0)) >>> 0);
}

/** The word of the IPv4 address for an IPv4-mapped one (::ffff:0:0/96, RFC 4291 section 2.5.5.2). */
export function foldMapped(words: readonly number[]): readonly number[] {
  const [w0, w1, w2, w3] = words;
  return w0 === 0 && w1 === 0 && w2 === 0xffff && w3 !== undefined ? [w3] : words;
}

/**
 * Builds the address from `words` (32-bit, most significant first; one for IPv4, four for IPv6).
 * Four words of an IPv4-mapped address give that IPv4 address.
 * @throws RangeError when the number of words does not fit the version.
 */
export function addressFromWords(version: 4 | 6, words: ArrayLike<number>): Address {
  if (words.length !== (version === 4 ? 1 : 4)) {
    throw new RangeError(`Cannot build an IPv${version} address from ${words.length} words`);
  }
  const folded = foldMapped(Array.from(words, (word) => word >>> 0));
  const [word = 0] = folded;
  if (folded.length === 1) {
    const octets = [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255];
    return { text: new ipaddr.IPv4(octets).toString(), version: 4, words: folded };
  }
  const groups = folded.flatMap((each) => [each >>> 16, each & 0xffff]);
  return { text: new ipaddr.IPv6(groups).toString(), version: 6, words: folded };
}

/**
 * The address as reversed DNS labels without a zone, in the order that blocklists (RFC 5782) and reverse zones use:
 * "4.3.2.1" for 1.2.3.4, 32 single hexadecimal digits for IPv6.
 */
export function reverseLabels(address: Address): string {
  if (address.version === 4) return address.text.split(".").reverse().join(".");
  const digits = address.words.map((word) => word.toString(16).padStart(8, "0")).join("");
  return digits.split("").reverse().join(".");
}

/** The name of the address's PTR record: in-addr.arpa (RFC 1035 section 3.5) or ip6.arpa (RFC 3596 section 2.5). */
export function reversePointer(address: Address): string {
  return `${reverseLabels(address)}.${address.version === 4 ? "in-addr" : "ip6"}.arpa`;
}
