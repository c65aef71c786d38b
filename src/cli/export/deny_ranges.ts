import { type Address, addressFromWords } from "#address";
import { type Columns, mergeStarts } from "#datasets";
import type { TableFacts } from "#lookup";

/** The denied addresses of one IP version. Sizes are numbers of addresses. */
export type Denied = Readonly<ReturnType<typeof collectDenied>>;

/** Kinds of networks whose addresses people get for their access. */
const ACCESS_KINDS: ReadonlySet<string | undefined> = new Set(["isp", "mobile", "satellite"]);

/** What is known of a segment, and whether it is denied. */
export interface JudgedSegment {
  readonly facts: Pick<TableFacts, "asn" | "asKind">;
  readonly isDenied: boolean;
}

/**
 * Collects the denied addresses of one IP version. The tables say the same about all addresses between two starts, so
 * one address of each segment is judged.
 */
export function collectDenied(
  version: 4 | 6,
  starts: readonly Columns[],
  judge: (address: Address) => JudgedSegment,
) {
  /** Both ends included. */
  const ranges: { first: bigint; last: bigint }[] = [];
  /** `collateral`: those in networks that give people access to the Internet; `announced`: all that are announced. */
  const sums = { size: 0n, collateral: 0n, announced: 0n };

  function add(words: readonly number[], first: bigint, end: bigint): void {
    const { facts, isDenied } = judge(addressFromWords(version, words));
    if (facts.asn !== undefined) sums.announced += end - first;
    if (!isDenied) return;
    sums.size += end - first;
    if (ACCESS_KINDS.has(facts.asKind)) sums.collateral += end - first;
    const before = ranges.at(-1);
    if (before?.last === first - 1n) before.last = end - 1n;
    else ranges.push({ first, last: end - 1n });
  }

  let words: readonly number[] | undefined;
  let first = 0n;
  for (const start of mergeStarts(version, starts)) {
    const at = start.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
    if (words !== undefined) add(words, first, at);
    words = start;
    first = at;
  }
  if (words !== undefined) add(words, first, 1n << (version === 4 ? 32n : 128n));
  return { version, ranges, ...sums };
}

/** Divides ranges into as few prefixes as possible (RFC 4632). */
export function* toPrefixes({ version, ranges }: Pick<Denied, "version" | "ranges">): Generator<string> {
  const width = version === 4 ? 32 : 128;
  for (const { first, last } of ranges) {
    for (let at = first; at <= last; ) {
      let bits = 0;
      while (
        bits < width &&
        (at & ((2n << BigInt(bits)) - 1n)) === 0n &&
        at + (2n << BigInt(bits)) - 1n <= last
      )
        bits += 1;
      const words = Array.from({ length: width / 32 }, (_, w) =>
        Number((at >> BigInt(width - 32 - 32 * w)) & 0xffff_ffffn),
      );
      yield `${addressFromWords(version, words).text}/${width - bits}`;
      at += 1n << BigInt(bits);
    }
  }
}
