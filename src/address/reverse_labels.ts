import type { Address } from "./address.ts";

/**
 * The address as reversed DNS labels without a zone, the way blocklists (RFC 5782) and reverse zones want it:
 * "4.3.2.1" for 1.2.3.4, 32 single hexadecimal digits for IPv6.
 */
export function reverseLabels(address: Address): string {
  let labels = "";
  if (address.version === 4) {
    const word = address.words[0] ?? 0;
    return `${word & 255}.${(word >>> 8) & 255}.${(word >>> 16) & 255}.${word >>> 24}`;
  }
  for (let index = 3; index >= 0; index--) {
    const word = address.words[index] ?? 0;
    for (let shift = 0; shift < 32; shift += 4) {
      labels += ((word >>> shift) & 15).toString(16);
      if (index > 0 || shift < 28) labels += ".";
    }
  }
  return labels;
}
