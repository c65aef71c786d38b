import { type Address, findAddress, findPastedAddresses } from "#address";

/** Signs of "defanged" and full-width spellings, which need a slower search. */
const UNUSUAL = /[[({](?:[.:]|dot)[\])}]|[\u3002\uff0e\uff1a\uff10-\uff19]/i;

/** The longest text that is searched for them. */
const MAX_UNUSUAL_LENGTH = 2000;

/** Finds the first address of a text. */
export function findFirst(text: string): Address | undefined {
  const found = findAddress(text);
  const before = text.slice(0, Math.min(found?.start ?? text.length, MAX_UNUSUAL_LENGTH));
  // A defanged address needs seven characters at least.
  if (before.length > 6 && UNUSUAL.test(before)) {
    const [unusual] = findPastedAddresses(before);
    if (unusual !== undefined) return unusual;
  }
  return found?.address;
}

/** Finds all addresses of a text, in order and without repetitions. */
export function findAll(text: string): readonly Address[] {
  if (text.length <= MAX_UNUSUAL_LENGTH && UNUSUAL.test(text)) return findPastedAddresses(text);
  const found = new Map<string, Address>();
  for (let next = findAddress(text); next !== undefined; next = findAddress(text, next.end)) {
    found.set(next.address.text, next.address);
  }
  return [...found.values()];
}

/** One word without separators of lists, as a line of a plain list of addresses is. */
const LIST_ENTRY = /^[^\s,;|{}]+$/;

/** Four numbers with dots. Where no address was found, at least one of them is too large or has a leading zero. */
const WRONG_IPV4 = /(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?!\.?[\w-])/;

/** Reports whether a text without an address was probably meant to be one, or to contain one. */
export function isMistake(text: string): boolean {
  return LIST_ENTRY.test(text) || WRONG_IPV4.test(text);
}
