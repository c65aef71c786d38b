import type { Address } from "./address.ts";

/**
 * A block of addresses in CIDR form (RFC 4632, RFC 4291 section 2.3).
 * `address` is the first one, `bits` the length (0 to 32 for IPv4, 0 to 128 for IPv6), `text` both: "198.51.100.0/24".
 */
export interface Prefix {
  readonly text: string;
  readonly address: Address;
  readonly bits: number;
}
