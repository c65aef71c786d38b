import type { Prefix } from "./prefix.ts";
import { scanPrefix } from "./scan_prefix.ts";

/**
 * Parses a CIDR block as vendors publish them: like {@link parsePrefix}, but host bits may be set and are cleared
 * ("198.51.100.7/24" is 198.51.100.0/24). Returns undefined for anything else that is not a block.
 */
export function parseLoosePrefix(text: string): Prefix | undefined {
  return scanPrefix(text, true);
}
