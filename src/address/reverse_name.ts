import type { Address } from "./address.ts";

/**
 * The address as reversed DNS labels without a zone, as blocklists (RFC 5782) and reverse zones want it:
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
