import { type Address, isWithin, parseLoosePrefix } from "#address";
import { knownText } from "./known_text.ts";

/** Blocks longer than these are not carried by the global routing table, so they are no route. */
const MAX_BITS = { 4: 24, 6: 48 } as const;

/** A block that holds the address and can be a route, host bits cleared; anything else is none. */
export function knownRoute(value: unknown, address: Address): string | undefined {
  const block = parseLoosePrefix(knownText(value) ?? "");
  if (block === undefined || !isWithin(address, block)) return undefined;
  return block.bits > 0 && block.bits <= MAX_BITS[address.version] ? block.text : undefined;
}
