import type { RangeSet } from "./range_set.ts";

/** How much a list or table covers in union, however many rows say it. */
export interface Extent {
  /** IPv4 addresses. */
  readonly ipv4: number;
  /** IPv6 /48s, the prefix of one site (RFC 6177); one that is covered in part counts whole. */
  readonly ipv6: number;
  /** Different AS numbers. */
  readonly networks: number;
}

/** Counts what the rows of `ranges` from row `from` on cover in union: IPv4 addresses, or IPv6 /48s. */
export function measureRanges(
  ranges: RangeSet,
  from: number,
  isCounted: (value: number) => boolean = () => true,
): number {
  const { firsts, lasts, values, size } = ranges;
  const starts = new Float64Array(size - from);
  const ends = new Float64Array(size - from);
  let count = 0;
  for (let row = from; row < size; row++) {
    // Inside the bounds: every column is longer than `size`.
    if (!isCounted(values[row]!)) continue;
    starts[count] = unitOf(firsts, row);
    ends[count] = unitOf(lasts, row);
    count++;
  }
  return measureUnion(starts.subarray(0, count), ends.subarray(0, count));
}

/** An IPv4 address as a number, or the number of the /48 around an IPv6 address: 48 bits, exact in a double. */
export function unitOf(columns: readonly Uint32Array[], row: number): number {
  const top = columns[0]![row]!;
  return columns.length === 1 ? top : top * 2 ** 16 + (columns[1]![row]! >>> 16);
}

/** Sorts both ends apart: a gap is where as many ranges have ended as have begun. */
function measureUnion(starts: Float64Array, ends: Float64Array): number {
  if (starts.length === 0) return 0;
  starts.sort();
  ends.sort();
  let covered = 0;
  let begin = starts[0]!;
  for (let i = 1; i <= starts.length; i++) {
    const last = ends[i - 1]!;
    if (i < starts.length && starts[i]! <= last) continue;
    covered += last - begin + 1;
    begin = starts[i] ?? 0;
  }
  return covered;
}
