import { type Address, isWithin, type Prefix, parsePrefix } from "#address";
import { readTsv } from "#tsv";
import table from "./tables/own_blocks.tsv" with { type: "text" };

interface Block {
  /** The number of the AS for a block of phones; absent for a block of a cloud. */
  readonly asn?: number;
  readonly prefix: Prefix;
}

/** Blocks by IP version and first eight bits, so that a lookup compares only a few. */
const BLOCKS: ReadonlyMap<string, readonly Block[]> = Map.groupBy(
  readTsv(table, ["kind", "operator", "asn", "blocks"]).flatMap(({ asn, blocks }) =>
    blocks.split(" ").map((text): Block => {
      const prefix = parsePrefix(text);
      if (prefix === undefined || prefix.bits < 8) throw new Error(`Cannot read "${text}" as a block`);
      return asn === "" ? { prefix } : { asn: Number(asn), prefix };
    }),
  ),
  ({ prefix }) => bucketOf(prefix.address),
);

/**
 * Finds whether blocks of our own tables contain the address: one of a cloud, one of phones of the AS. The evidence reads nothing else from the address itself,
 * except its special purpose.
 */
export function findOwnBlocks(address: Address, asn: number | undefined) {
  let isCloud = false;
  let isMobile = false;
  for (const block of BLOCKS.get(bucketOf(address)) ?? []) {
    if (!isWithin(address, block.prefix)) continue;
    if (block.asn === undefined) isCloud = true;
    else if (block.asn === asn) isMobile = true;
  }
  return { isCloud, isMobile };
}

/** Lists the blocks that {@link findOwnBlocks} knows. */
export function listOwnBlocks(): readonly Prefix[] {
  return [...BLOCKS.values()].flat().map(({ prefix }) => prefix);
}

function bucketOf({ version, words }: Address): string {
  return `${version}/${(words[0] ?? 0) >>> 24}`;
}
