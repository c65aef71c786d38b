import { addressFromWords } from "./address_from_words.ts";
import type { Prefix } from "./prefix.ts";
import { wordMask } from "./word_mask.ts";

/**
 * Builds the block of `bits` leading bits around `words`, clearing the rest.
 * A block inside ::ffff:0:0/96 becomes the IPv4 block it maps.
 */
export function prefixFromWords(version: 4 | 6, words: ArrayLike<number>, bits: number): Prefix {
  const cleared = Array.from(words, (word, index) => (word & wordMask(bits, index)) >>> 0);
  const address = addressFromWords(version, cleared.slice(0, version === 4 ? 1 : 4));
  const ownBits = address.version === version ? bits : bits - 96;
  return { text: `${address.text}/${ownBits}`, address, bits: ownBits };
}
