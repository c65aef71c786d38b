import type { Address } from "./address.ts";
import { reverseLabels } from "./reverse_labels.ts";

/** The name of the address's PTR record: in-addr.arpa (RFC 1035 section 3.5) or ip6.arpa (RFC 3596 section 2.5). */
export function reversePointer(address: Address): string {
  return `${reverseLabels(address)}.${address.version === 4 ? "in-addr" : "ip6"}.arpa`;
}
