import { type Address, parseAddress } from "./address.ts";

/** Longest text that is searched, in UTF-16 units. */
const MAX_LENGTH = 2000;

/** Longest word that can be an address with a label before it and a port behind it. */
const MAX_WORD = 100;

// Signs for a dot or a colon: the ideographic full stop of Chinese input, and "defanged" spellings.
const DOTS = /\u3002|[[({]\.[\])}]|[[({]dot[\])}]/gi;
const COLONS = /[[({]:[\])}]/g;

// The characters of an address, and those that make it part of a longer name.
const WORD = /[0-9A-Za-z_.:-]+/g;

const IPV4_WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;
const LABEL = /^(?:[A-Za-z_-]*[G-Zg-z_-][A-Za-z_-]*)?:(?=[^:])/;

/**
 * Finds the addresses in pasted text, in order and without repetitions: in brackets, quotes or full-width characters,
 * with a port, zone or prefix length, in a URL, a log line or a list. {@link parseAddress} decides what is an address;
 * parts of longer names and numbers (`1.2.3.4.5`, `192.0.2.1.example`) are not. A text of more than 2,000 characters
 * gives none.
 */
export function findPastedAddresses(text: string): readonly Address[] {
  if (text.length > MAX_LENGTH) return [];
  const plain = text.normalize("NFKC").replace(DOTS, ".").replace(COLONS, ":");
  const found = new Map<string, Address>();
  const words = plain.match(WORD) ?? [];
  for (const word of words) {
    const address = readWord(word, words.length === 1);
    if (address !== undefined) found.set(address.text, address);
  }
  return [...found.values()];
}

function readWord(word: string, isAll: boolean): Address | undefined {
  if (word.length > MAX_WORD) return undefined;
  // `a::b` and `::` are addresses, but in a longer text they are usually something else.
  if (!isAll && !/\d/.test(word)) return undefined;
  return readBare(word) ?? readBare(word.replace(LABEL, ""));
}

/** Parses the word, also without punctuation at its end, and without a port. */
function readBare(word: string): Address | undefined {
  return (
    parseAddress(word) ??
    parseAddress(word.replace(/[.:-]$/, "")) ??
    parseAddress(IPV4_WITH_PORT.exec(word.replace(/[.:-]$/, ""))?.[1] ?? "")
  );
}
