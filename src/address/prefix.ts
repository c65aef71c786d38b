import { type Address, addressFromWords, foldMapped, readWords } from "./address.ts";

/**
 * A block of addresses in CIDR form (RFC 4632, RFC 4291 section 2.3).
 * `address` is the first one, `bits` the length (0 to 32 for IPv4, 0 to 128 for IPv6), `text` both: "198.51.100.0/24".
 */
export interface Prefix {
  readonly text: string;
  readonly address: Address;
  readonly bits: number;
}

/** The longest accepted spelling: "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128". */
const MAX_LENGTH = 49;

/**
 * Parses a CIDR block such as "198.51.100.0/24" or "2001:db8::/32"; a bare address is a block of one.
 * Returns undefined when host bits are set, for brackets, netmasks, blanks, leading zeros and anything
 * that {@link parseAddress} refuses. Blocks inside ::ffff:0:0/96 become the IPv4 blocks they map.
 */
export function parsePrefix(text: string): Prefix | undefined {
  const block = readBlock(text);
  if (block === undefined) return undefined;
  const { words, bits } = block;
  const hasHostBits = words.some((word, index) => (word & ~wordMask(bits, index)) !== 0);
  return hasHostBits ? undefined : prefixFromWords(words, bits);
}

/**
 * Parses a CIDR block as vendors publish them: like {@link parsePrefix}, but host bits may be set and are cleared
 * ("198.51.100.7/24" is 198.51.100.0/24). Returns undefined for anything else that is not a block.
 */
export function parseLoosePrefix(text: string): Prefix | undefined {
  const block = readBlock(text);
  return block && prefixFromWords(block.words, block.bits);
}

/**
 * Like {@link parseLoosePrefix}, but gives only the words of the first and the last address of the block: for large
 * lists whose text is not needed.
 */
export function parsePrefixEnds(
  text: string,
): { readonly first: readonly number[]; readonly last: readonly number[] } | undefined {
  const block = readBlock(text);
  return block && findEnds(block.words, block.bits);
}

/** The words of the first and the last address of a prefix. */
export function endsOf({ address, bits }: Prefix) {
  return findEnds(address.words, bits);
}

function findEnds(words: readonly number[], bits: number) {
  return {
    first: words.map((word, index) => (word & wordMask(bits, index)) >>> 0),
    last: words.map((word, index) => (word | ~wordMask(bits, index)) >>> 0),
  };
}

function readBlock(text: string): { readonly words: readonly number[]; readonly bits: number } | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const slash = text.indexOf("/");
  const words = readWords(slash < 0 ? text : text.slice(0, slash));
  if (words === undefined) return undefined;
  const size = 32 * words.length;
  const bits = slash < 0 ? size : readBits(text.slice(slash + 1));
  if (!(bits <= size)) return undefined;
  const folded = bits < 96 ? words : foldMapped(words);
  return { words: folded, bits: bits - (size - 32 * folded.length) };
}

/** One to three decimal digits without a leading zero; otherwise NaN. */
function readBits(text: string): number {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) ? Number(text) : Number.NaN;
}

/** Builds the block of `bits` leading bits around the words of an address, clearing the rest. */
export function prefixFromWords(words: readonly number[], bits: number): Prefix {
  const address = addressFromWords(
    words.length === 1 ? 4 : 6,
    words.map((word, index) => word & wordMask(bits, index)),
  );
  return { text: `${address.text}/${bits}`, address, bits };
}

/** The block of the same size that lies `steps` blocks after this one; undefined outside the address family. */
export function stepPrefix({ address, bits }: Prefix, steps: number): Prefix | undefined {
  const words = [...address.words];
  const last = Math.max(0, (bits - 1) >>> 5);
  let carry = steps * 2 ** (32 * (last + 1) - bits);
  for (let index = last; index >= 0 && carry !== 0; index--) {
    const sum = (words[index] ?? 0) + carry;
    carry = Math.floor(sum / 2 ** 32);
    words[index] = sum - carry * 2 ** 32;
  }
  return carry === 0 ? prefixFromWords(words, bits) : undefined;
}

/** Whether `address` lies in `prefix`. The result is false if their versions differ. */
export function isWithin(address: Address, prefix: Prefix): boolean {
  if (address.version !== prefix.address.version) return false;
  const base = prefix.address.words;
  const words = address.words;
  for (let index = 0; index < words.length && 32 * index < prefix.bits; index++) {
    if ((((words[index] ?? 0) ^ (base[index] ?? 0)) & wordMask(prefix.bits, index)) !== 0) return false;
  }
  return true;
}

/** The smallest block that one customer holds: the /64 of an IPv6 address (RFC 6177), the /32 of an IPv4 address. */
export function subnet64(address: Address): Prefix {
  return prefixFromWords(address.words, address.version === 4 ? 32 : 64);
}

/**
 * The unsigned 32-bit mask of word `index` for a prefix of `bits`. ipaddr.js is not used here, because range tables
 * work on 32-bit words and ipaddr.js splits addresses into octets.
 */
export function wordMask(bits: number, index: number): number {
  const here = bits - 32 * index;
  return here >= 32 ? 0xffffffff : here <= 0 ? 0 : (0xffffffff << (32 - here)) >>> 0;
}
