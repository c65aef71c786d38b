import { type Address, isWithin, type Prefix, parsePrefix } from "#address";
import { CLOUD_BLOCKS } from "./cloud_blocks.ts";

interface Block {
  readonly operator: string;
  readonly prefix: Prefix;
}

/** By IP version and the first eight bits, so that few are looked at. */
const BLOCKS = readBlocks();

/** The cloud that holds the block around the address, if one is known to. */
export function findCloudBlock(address: Address): string | undefined {
  return BLOCKS.get(bucketOf(address))?.find(({ prefix }) => isWithin(address, prefix))?.operator;
}

/** @throws Error when a block of the table is no prefix: at start, never in a survey. */
function readBlocks(): ReadonlyMap<string, readonly Block[]> {
  const blocks = CLOUD_BLOCKS.flatMap(([operator, texts]) =>
    texts.split(/\s+/).map((text) => {
      const prefix = parsePrefix(text);
      if (prefix === undefined || prefix.bits < 8) throw new Error(`Cannot read "${text}" as a block`);
      return { operator, prefix };
    }),
  );
  return Map.groupBy(blocks, ({ prefix }) => bucketOf(prefix.address));
}

function bucketOf({ version, words }: Address): string {
  return `${version}/${(words[0] ?? 0) >>> 24}`;
}
