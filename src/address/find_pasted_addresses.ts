import { type Address, parseAddress } from "./address.ts";
import { findAddress } from "./find_address.ts";

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
