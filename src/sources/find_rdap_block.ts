import { type Address, isWithin, type Prefix, parseAddress, parseLoosePrefix } from "#address";
import { UpstreamError } from "#upstream";

/** Where an RDAP answer says what it covers; `blocks` are the members of `cidr0_cidrs` as CIDR text. */
export interface RdapRange {
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly blocks: readonly string[];
}

/**
 * The block of an RDAP answer that holds the address: of the published ones the longest, else the largest that fits
 * between start and end. `undefined` = the answer speaks of this address alone, which is what some old objects say
 * in place of their range.
 * @throws {UpstreamError} kind `shape` when no range is readable or the address is outside it.
 */
export function findRdapBlock({ start, end, blocks }: RdapRange, address: Address): Prefix | undefined {
  const published = blocks
    .flatMap((block) => parseLoosePrefix(block) ?? [])
    .filter((prefix) => isWithin(address, prefix))
    .sort((a, b) => b.bits - a.bits)[0];
  if (published !== undefined) return published;

  const first = readBound(start);
  const last = readBound(end);
  if (first === undefined || last === undefined) throw new UpstreamError("shape", "no range");
  const own = toNumber(address);
  const isInside =
    first.version === address.version &&
    last.version === address.version &&
    toNumber(first) <= own &&
    own <= toNumber(last);
  if (!isInside) throw new UpstreamError("shape", "another range");
  if (first.text === last.text) return undefined;
  return findLargest(address, own, toNumber(first), toNumber(last));
}

function findLargest(address: Address, own: bigint, first: bigint, last: bigint): Prefix | undefined {
  const width = address.version === 4 ? 32 : 128;
  for (let bits = 0; bits <= width; bits += 1) {
    const size = 1n << BigInt(width - bits);
    const base = own - (own % size);
    if (base >= first && base + size - 1n <= last) return parseLoosePrefix(`${address.text}/${bits}`);
  }
  return undefined;
}

/** Registries have written `074.125.000.000` and glued `/32` to single addresses. */
function readBound(text: string | undefined): Address | undefined {
  const bare = text?.trim().replace(/\/\d{1,3}$/, "");
  if (bare === undefined) return undefined;
  const isPadded = /^\d{3}(?:\.\d{3}){3}$/.test(bare);
  return parseAddress(isPadded ? bare.replaceAll(/\d{3}/g, (octet) => String(Number(octet))) : bare);
}

function toNumber(address: Address): bigint {
  return address.words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
}
