import { readTsv } from "#tsv";
import { type Address, parseWords } from "./address.ts";
import { isWithin, type Prefix, parsePrefix, prefixFromWords, wordMask } from "./prefix.ts";
import serviceTable from "./public_services.tsv" with { type: "text" };
import blockTable from "./special_purpose_blocks.tsv" with { type: "text" };

/** Why an address is not globally reachable: the block it lies in, in CIDR text, and what that block is for. */
export interface SpecialPurpose {
  readonly block: string;
  /** Of `special_purpose_blocks.tsv`, which describes each. */
  readonly purpose: string;
}

interface Block {
  readonly prefix: Prefix;
  /** The first word of the block and its mask: these alone exclude most blocks. */
  readonly word: number;
  readonly mask: number;
  /** Absent when the block is globally reachable. */
  readonly special?: SpecialPurpose;
}

/** Blocks that overlap a /12, most specific first; undefined = the whole /12 is ordinary. */
type Index = readonly (readonly Block[] | undefined)[];

/** Named after the IANA special-purpose registries: https://www.iana.org/assignments/iana-ipv4-special-registry */
const BLOCKS = readBlocks();
const IPV6_BLOCKS = BLOCKS.filter(({ prefix }) => prefix.address.version === 6);
const IPV4_INDEX = indexBlocks(BLOCKS.filter(({ prefix }) => prefix.address.version === 4));
const IPV6_INDEX = indexBlocks(IPV6_BLOCKS);

/** Lists the blocks that {@link findSpecialPurpose} knows. */
export function listSpecialBlocks(): readonly Prefix[] {
  return BLOCKS.map(({ prefix }) => prefix);
}

/**
 * Whether an AS number is reserved, for documentation or private:
 * https://www.iana.org/assignments/iana-as-numbers-special-registry
 */
export function isSpecialAsn(asn: number): boolean {
  return asn === 23_456 || (asn >= 64_496 && asn <= 131_071) || asn >= 4_200_000_000;
}

/** Whether the address cannot belong to anyone on the public Internet; see {@link findSpecialPurpose}. */
export function isBogon(address: Address): boolean {
  return findSpecialPurpose(address) !== undefined;
}

/**
 * Finds the special purpose of the block around `address`; undefined for ordinary global unicast. Follows the "Globally
 * Reachable" column of the IANA special-purpose registries, most specific block first; "N/A" counts as not reachable.
 * Multicast, reserved and unallocated space are included.
 */
export function findSpecialPurpose(address: Address): SpecialPurpose | undefined {
  const index = address.version === 4 ? IPV4_INDEX : IPV6_INDEX;
  const word = address.words[0] ?? 0;
  const blocks = index[word >>> 20];
  if (blocks === undefined) return undefined;
  for (const block of blocks) {
    if (((word ^ block.word) & block.mask) !== 0) continue;
    if (!isWithin(address, block.prefix)) continue;
    return block.special?.purpose === "unallocated" ? narrow(address, block) : block.special;
  }
  return undefined;
}

/** The largest block around the address, inside `outer`, in which IANA has allocated nothing. */
function narrow(address: Address, outer: Block): SpecialPurpose {
  let bits = outer.prefix.bits;
  let around = outer.prefix;
  const overlapsOther = (block: Block) =>
    block.prefix.bits > outer.prefix.bits && isWithin(block.prefix.address, around);
  while (bits < 128 && IPV6_BLOCKS.some(overlapsOther)) around = prefixFromWords(address.words, ++bits);
  return { block: around.text, purpose: "unallocated" };
}

function readBlocks(): readonly Block[] {
  const blocks = readTsv(blockTable, ["block", "purpose", "note"]).map((row): Block => {
    const prefix = parsePrefix(row.block);
    const purpose = row.purpose === "reachable" ? undefined : row.purpose;
    if (prefix === undefined) throw new Error(`Cannot read the special-purpose block "${row.block}"`);
    const entry = { prefix, word: prefix.address.words[0] ?? 0, mask: wordMask(prefix.bits, 0) };
    return purpose === undefined ? entry : { ...entry, special: { block: prefix.text, purpose } };
  });
  return blocks.sort((a, b) => b.prefix.bits - a.prefix.bits);
}

function indexBlocks(blocks: readonly Block[]): Index {
  const index: (Block[] | undefined)[] = new Array(4096).fill(undefined);
  for (const block of blocks) {
    const first = (block.prefix.address.words[0] ?? 0) >>> 20;
    const count = block.prefix.bits >= 12 ? 1 : 1 << (12 - block.prefix.bits);
    for (let slot = first; slot < first + count; slot++) {
      const list = index[slot] ?? [];
      index[slot] = list;
      list.push(block);
    }
  }
  // A /12 whose most specific block covers it and is reachable needs no search.
  return index.map((list) => {
    const top = list?.[0];
    return top !== undefined && top.prefix.bits <= 12 && top.special === undefined ? undefined : list;
  });
}

export const SERVICE_ROLES = ["public_dns_resolver", "root_server"] as const;

/** Public services by the words of the address. `operator` is a proper noun, shown as it is. */
const SERVICES = new Map(
  readTsv(serviceTable, ["role", "operator", "addresses"]).flatMap(({ role: text, operator, addresses }) => {
    const role = SERVICE_ROLES.find((one) => one === text);
    if (role === undefined) throw new Error(`Cannot read "${text}" as the role of a service`);
    const service = { role, operator };
    return addresses.split(" ").map((address) => [(parseWords(address) ?? []).join(), service] as const);
  }),
);

/**
 * Finds the public service on an address. Nobody uses such an address as an egress. The table has single addresses,
 * never whole blocks.
 */
export function findPublicService({ words }: Pick<Address, "words">) {
  return SERVICES.get(words.join());
}

/** Lists the words of every address of the table. */
export function listPublicServices(): readonly (readonly number[])[] {
  return [...SERVICES.keys()].map((words) => words.split(",").map(Number));
}
