/** Buckets an index has at most. */
const MAX_BUCKETS = 65_536;

/** The sign bit: flipping it makes signed integers compare as the unsigned ones they stand for. */
const SIGN = -0x8000_0000;

/**
 * Maps the first word of an address to the few rows that must be searched. Bucket k contains the rows `counts[k]` …
 * `counts[k + 1] - 1`: those whose first word lies in base + [k, k + 1) · 2^shift; the last is open. For a table that
 * spans IPv4 the bucket is the address's top 16 bits; for global IPv6, its top 20.
 */
export type RangeIndex = NonNullable<ReturnType<typeof indexStarts>>;

/**
 * Builds the index over starts (columns of words, most significant first) and checks in the same pass that they ascend
 * strictly from zero; undefined when they do not. The index is made when a table is opened, so it cannot contradict the
 * rows of the file.
 */
export function indexStarts(columns: readonly Uint32Array[]) {
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
  // Signed views keep every number a small integer: in a process that has just started this halves the time of this loop.
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

const SHORT_RUN = 32;

/**
 * Maps the first two words of an IPv6 address to the few rows that must be searched. Rows with the same first word
 * are a run. Lists have most rows in a handful of /32, so the first word alone does not divide them enough.
 */
export type RunIndex = NonNullable<ReturnType<typeof indexRuns>>;

/** Builds the index over the starts of a family; undefined when they do not ascend strictly from zero. */
export function indexRuns(columns: readonly Uint32Array[]) {
  const [first, second] = columns;
  if (first === undefined || second === undefined || columns.some((column) => column[0] !== 0)) {
    return undefined;
  }
  /** First row of every run, then the number of rows. */
  const rows = findRuns(columns, first);
  if (rows === undefined) return undefined;
  const count = rows.length - 1;
  /** First word of every run. */
  const tops = new Uint32Array(count);
  for (let run = 0; run < count; run++) tops[run] = first[rows[run]!]!;
  const index = indexStarts([tops]);
  if (index === undefined) return undefined;
  /** Where the buckets of a long run begin in `buckets` (0 = no buckets), their shift, and the number of the last one. */
  const at = new Uint32Array(count);
  const shift = new Uint8Array(count);
  const last = new Uint32Array(count);
  // Bucket k of a run contains the rows `buckets[at + k]` … `buckets[at + k + 1] - 1`. A run has fewer buckets than rows,
  // or as many, and one more entry to end them.
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

/** Gives the first row of every run, then the number of rows; checks their order in the same pass. */
function findRuns(columns: readonly Uint32Array[], first: Uint32Array): Uint32Array | undefined {
  // Signed views keep every number a small integer: in a process that has just started this halves the time of this loop.
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

/** Whether the lower words of a row are after those of the row before; for rows whose first words are equal. */
function isTailAscending(columns: readonly Uint32Array[], row: number): boolean {
  for (let w = 1; w < columns.length; w++) {
    const difference = columns[w]![row]! - columns[w]![row - 1]!;
    if (difference !== 0) return difference > 0;
  }
  return false;
}
