import { isTailAscending } from "./is_tail_ascending.ts";

/** Buckets an index has at most. */
const MAX_BUCKETS = 65_536;

/** Flipping it makes signed integers compare as the unsigned ones they stand for. */
const SIGN = -0x8000_0000;

/**
 * Leads from the first word of an address to the few rows worth searching. Bucket k holds the rows
 * `counts[k]` … `counts[k + 1] - 1`: those whose first word lies in base + [k, k + 1) · 2^shift; the last is open.
 * For a table that spans IPv4 the bucket is the address's top 16 bits; for global IPv6, its top 20.
 */
export interface RangeIndex {
  readonly base: number;
  readonly shift: number;
  readonly buckets: number;
  readonly counts: Uint32Array;
}

/**
 * Builds the index over starts (columns of words, most significant first) and checks in the same pass that they
 * ascend strictly from zero: undefined when they do not. Made at opening, so a file holds nothing that could
 * contradict its own rows.
 */
export function indexStarts(columns: readonly Uint32Array[]): RangeIndex | undefined {
  const first = columns[0];
  if (first === undefined || columns.some((column) => column[0] !== 0)) return undefined;
  const base = first[1] ?? 0;
  const span = (first[first.length - 1] ?? 0) - base;
  if (span < 0) return undefined;
  let shift = 0;
  while (span >>> shift >= MAX_BUCKETS) shift++;
  const buckets = (span >>> shift) + 1;
  const counts = new Uint32Array(buckets + 1);
  counts[0] = base === 0 ? 0 : 1;
  // Signed views keep every number a small integer: in a process just started that halves the time of this loop.
  const words = new Int32Array(first.buffer, first.byteOffset, first.length);
  let bucket = 1;
  let before = SIGN;
  for (let row = 1; row < words.length; row++) {
    const word = words[row]! ^ SIGN;
    if (word <= before && (word < before || !isTailAscending(columns, row))) return undefined;
    before = word;
    const own = ((words[row]! - base) | 0) >>> shift;
    while (bucket <= own) counts[bucket++] = row;
  }
  counts.fill(first.length, bucket);
  return { base, shift, buckets, counts };
}
