import type { Address } from "./address.ts";
import type { Prefix } from "./prefix.ts";
import { prefixFromWords } from "./prefix_from_words.ts";

/**
 * The block that one customer holds at least: the /64 of an IPv6 address (RFC 6177), the /32 of an IPv4 address.
 */
export function subnet64(address: Address): Prefix {
  if (address.version === 4) return { text: `${address.text}/32`, address, bits: 32 };
  return prefixFromWords(6, address.words, 64);
}
