import { type Address, isWithin, type Prefix, parsePrefix } from "#address";

/**
 * Blocks of phones in networks that serve homes too, by AS number, one operator a row. From the registries' records of
 * the operators' mobile companies (RIPE NCC: EE, Vodafone and Telekom in Germany; APNIC: China Mobile).
 */
const MOBILE_BLOCKS: readonly (readonly [operator: string, asn: number, blocks: string])[] = [
  ["EE", 2856, "31.64.0.0/11"],
  ["Vodafone Germany", 3209, "109.40.0.0/13"],
  ["Telekom Germany", 3320, "80.187.0.0/16"],
  ["China Mobile", 9808, "117.136.0.0/16 223.104.0.0/14"],
];

const BLOCKS: ReadonlyMap<number, readonly Prefix[]> = new Map(
  MOBILE_BLOCKS.map(([, asn, texts]) => [
    asn,
    texts.split(" ").map((text) => {
      const prefix = parsePrefix(text);
      if (prefix === undefined) throw new Error(`Cannot read "${text}" as a block`);
      return prefix;
    }),
  ]),
);

/** Reports whether the address is in a block of phones of the AS. */
export function isMobileBlock(address: Address, asn: number): boolean {
  return BLOCKS.get(asn)?.some((prefix) => isWithin(address, prefix)) === true;
}
