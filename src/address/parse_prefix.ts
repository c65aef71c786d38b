import type { Prefix } from "./prefix.ts";
import { scanPrefix } from "./scan_prefix.ts";

/**
 * Parses a CIDR block such as "198.51.100.0/24" or "2001:db8::/32"; a bare address is a block of one.
 * Returns undefined when host bits are set, for brackets, netmasks, blanks, leading zeros and anything
 * that {@link parseAddress} refuses. Blocks inside ::ffff:0:0/96 become the IPv4 blocks they map.
 */
export function parsePrefix(text: string): Prefix | undefined {
  return scanPrefix(text, false);
}
