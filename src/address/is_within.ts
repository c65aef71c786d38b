import type { Address } from "./address.ts";
import type { Prefix } from "./prefix.ts";
import { wordMask } from "./word_mask.ts";

/** Whether `address` lies in `prefix`. An IPv4 address is never within an IPv6 block, nor the other way round. */
export function isWithin(address: Address, prefix: Prefix): boolean {
  if (address.version !== prefix.address.version) return false;
  const base = prefix.address.words;
  const words = address.words;
  for (let index = 0; index < words.length && 32 * index < prefix.bits; index++) {
    if ((((words[index] ?? 0) ^ (base[index] ?? 0)) & wordMask(prefix.bits, index)) !== 0) return false;
  }
  return true;
}
