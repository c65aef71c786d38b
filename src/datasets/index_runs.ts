import { indexStarts, type RangeIndex } from "./index_starts.ts";
import { isTailAscending } from "./is_tail_ascending.ts";

/** Runs with fewer rows are searched as they are. */
const SHORT_RUN = 32;

/**
 * Leads from the first two words of an IPv6 address to the few rows worth searching. Rows with the same first word
 * are a run; lists have most of theirs in a handful of /32, so that the second word has to tell them apart.
 */
export interface RunIndex {
  /** First word of every run, and an index over them. */
  readonly tops: Uint32Array;
  readonly index: RangeIndex;
  /** First row of every run, then the number of rows. */
  readonly rows: Uint32Array;
  /** Where the buckets of a long run begin in `buckets`, 0 = it has none; their shift, and the number of the last. */
  readonly at: Uint32Array;
  readonly shift: Uint8Array;
  readonly last: Uint32Array;
  /** Bucket k of a run holds the rows `buckets[at + k]` … `buckets[at + k + 1] - 1`. */
  readonly buckets: Uint32Array;
}

/** Flipping it makes signed integers compare as the unsigned ones they stand for. */
const SIGN = -0x8000_0000;

/** Builds the index over the starts of a family; undefined when they do not ascend strictly from zero. */
export function indexRuns(columns: readonly Uint32Array[]): RunIndex | undefined {
  const [first, second] = columns;
  if (first === undefined || second === undefined || columns.some((column) => column[0] !== 0)) {
    return undefined;
  }
  const rows = findRuns(columns, first);
  if (rows === undefined) return undefined;
  const count = rows.length - 1;
  const tops = new Uint32Array(count);
  for (let run = 0; run < count; run++) tops[run] = first[rows[run]!]!;
  const index = indexStarts([tops]);
  if (index === undefined) return undefined;
  const at = new Uint32Array(count);
  const shift = new Uint8Array(count);
  const last = new Uint32Array(count);
  // A run has fewer buckets than rows, or as many, and one more entry to end them.
  const buckets = new Uint32Array(first.length + count + 1);
  let size = 1;
  for (let run = 0; run < count; run++) {
    const from = rows[run]!;
    const to = rows[run + 1]!;
    if (to - from < SHORT_RUN) continue;
    const base = second[from]!;
    const span = second[to - 1]! - base;
    let bits = 0;
    while (span >>> bits >= to - from) bits++;
    const end = span >>> bits;
    at[run] = size;
    shift[run] = bits;
    last[run] = end;
    let row = from;
    for (let bucket = 0; bucket <= end; bucket++) {
      while (row < to && (second[row]! - base) >>> bits < bucket) row++;
      buckets[size++] = row;
    }
    buckets[size++] = to;
  }
  return { tops, index, rows, at, shift, last, buckets: buckets.slice(0, size) };
}

/** First row of every run and the number of rows, checked for their order in the same pass. */
function findRuns(columns: readonly Uint32Array[], first: Uint32Array): Uint32Array | undefined {
  // Signed views keep every number a small integer: in a process just started that halves the time of this loop.
  const words = new Int32Array(first.buffer, first.byteOffset, first.length);
  const rows = new Uint32Array(words.length + 1);
  let runs = 1;
  let before = SIGN;
  for (let row = 1; row < words.length; row++) {
    const word = words[row]! ^ SIGN;
    if (word > before) rows[runs++] = row;
    else if (word < before || !isTailAscending(columns, row)) return undefined;
    before = word;
  }
  rows[runs++] = words.length;
  return rows.slice(0, runs);
}
