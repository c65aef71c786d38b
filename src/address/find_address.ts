import { type Address, parseAddress } from "./address.ts";

/** Longest word that is read: an address with a label before it, or a port, a user and a password behind it. */
const MAX_WORD = 255;

const MAX_IPV4_SPELLING = 15;

const SEPARATOR = 0;
const LETTER = 1;
const DOT = 2;
const COLON = 3;

/** What each ASCII character is: part of a word, or a separator. All other characters are separators. */
const KINDS = new Uint8Array(128);
for (const character of "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-") {
  KINDS[character.charCodeAt(0)] = LETTER;
}
KINDS[".".charCodeAt(0)] = DOT;
KINDS[":".charCodeAt(0)] = COLON;

const ZERO = 0x30;
const CODE_OF_DOT = 0x2e;

/** A character that no spelling of an address has, so that the text before a colon is a label. */
const LABEL = /[G-Zg-z_-]/;
const IPV4_BEFORE_COLON = /^(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}):/;

/**
 * Finds the first address in a text from an offset on, and the place of the word that contains it. Its text may share
 * the memory of the whole text: what is kept for long must be a copy. An address is a word, or a word without a label
 * before it (`ip:192.0.2.1`), without a port and what follows it (`192.0.2.1:1080:user:password`), and without
 * punctuation at its end. A word is a run of ASCII letters, digits, `.`, `:`, `_` and `-`. So parts of longer names and
 * numbers (`1.2.3.4.5`, `192.0.2.1.example`, `v1.2.3.4`) are not addresses. Neither is an IPv6 spelling without a
 * digit, because in a text `a::b` is usually something else. Takes time in proportion to the text.
 */
export function findAddress(text: string, from = 0) {
  const { length } = text;
  let at = from;
  while (at < length) {
    let kind = kindOf(text.charCodeAt(at));
    if (kind === SEPARATOR) {
      at += 1;
      continue;
    }
    const start = at;
    let dots = 0;
    let colons = 0;
    do {
      if (kind === DOT) dots += 1;
      else if (kind === COLON) colons += 1;
      at += 1;
      kind = at < length ? kindOf(text.charCodeAt(at)) : SEPARATOR;
    } while (kind !== SEPARATOR);
    // Of all other words none is an address, so no text is copied for them.
    if ((dots < 3 && colons < 2) || at - start > MAX_WORD) continue;
    const value = dots === 3 && colons === 0 ? readIpv4(text, start, at) : undefined;
    const word = text.slice(start, at);
    if (!/\d/.test(word)) continue;
    const address: Address | undefined =
      value === undefined
        ? (readBare(word) ?? readBare(skipLabels(word)))
        : { text: word, version: 4, words: [value] };
    if (address !== undefined) return { address, start, end: at };
  }
  return undefined;
}

function kindOf(code: number): number {
  return code < 128 ? (KINDS[code] ?? SEPARATOR) : SEPARATOR;
}

/** Reads four decimal numbers with dots as one number, as `parseAddress` does, without a copy of the text. */
function readIpv4(text: string, start: number, end: number): number | undefined {
  if (end - start > MAX_IPV4_SPELLING) return undefined;
  let word = 0;
  let octet = -1;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === CODE_OF_DOT) {
      if (octet === -1) return undefined;
      word = word * 256 + octet;
      octet = -1;
      continue;
    }
    const digit = code - ZERO;
    // A number with a leading zero is not an octet.
    if (digit < 0 || digit > 9 || octet === 0) return undefined;
    octet = octet === -1 ? digit : octet * 10 + digit;
    if (octet > 255) return undefined;
  }
  return octet === -1 ? undefined : word * 256 + octet;
}

/** Parses the word, also without a sign at its end, and an IPv4 address before a colon. */
function readBare(word: string): Address | undefined {
  return (
    parseAddress(word) ??
    (/[.:-]$/.test(word) ? parseAddress(word.slice(0, -1)) : undefined) ??
    parseAddress(IPV4_BEFORE_COLON.exec(word)?.[1] ?? "")
  );
}

/** Cuts off labels such as `ip:` or `user:password:`, and one colon. A double colon belongs to an address. */
function skipLabels(word: string): string {
  let at = 0;
  while (true) {
    const colon = word.indexOf(":", at);
    if (colon === -1 || word[colon + 1] === ":" || !LABEL.test(word.slice(at, colon))) break;
    at = colon + 1;
  }
  return word[at] === ":" && word[at + 1] !== ":" ? word.slice(at + 1) : word.slice(at);
}

/** Longest text that is searched, in UTF-16 units. */
const MAX_LENGTH = 2000;

// Signs for a dot or a colon: the ideographic full stop of Chinese input, and "defanged" spellings.
const DOTS = /\u3002|[[({]\.[\])}]|[[({]dot[\])}]/gi;
const COLONS = /[[({]:[\])}]/g;

/** The characters of a word, as `findAddress` reads them. */
const WORD = /[0-9A-Za-z_.:-]+/g;

/**
 * Finds the addresses in pasted text, in order and without repetitions: in brackets, quotes or full-width characters,
 * "defanged", with a port, zone or prefix length, in a URL, a log line or a list. {@link findAddress} decides what is an
 * address; if one word is all that there is, also an IPv6 spelling without a digit. A text of more than 2,000
 * characters gives none.
 */
export function findPastedAddresses(text: string): readonly Address[] {
  if (text.length > MAX_LENGTH) return [];
  const plain = text.normalize("NFKC").replace(DOTS, ".").replace(COLONS, ":");
  const found = new Map<string, Address>();
  for (let next = findAddress(plain); next !== undefined; next = findAddress(plain, next.end)) {
    found.set(next.address.text, next.address);
  }
  if (found.size > 0) return [...found.values()];
  const [word, ...others] = plain.match(WORD) ?? [];
  const only = word === undefined || others.length > 0 ? undefined : parseAddress(word);
  return only === undefined ? [] : [only];
}
