/** Ranges a set can hold: 2^26, so that a hostile file cannot use all memory. */
const MAX_RANGES = 67_108_864;

/** Most addresses a plausible range spans in IPv4: a /5, because packages merge neighbours of one country. */
const MAX_IPV4 = 2 ** 27;
/** Most a plausible range spans in IPv6, counted in /32: a /13, the largest block anyone but a registry holds. */
const MAX_IPV6_TOP = 2 ** 19;

/**
 * Address ranges of one family, both ends included, each with a value id (1 and up), in columns of
 * unsigned 32-bit words, most significant first. They may come in any order and overlap.
 */
export class RangeSet {
  readonly version: 4 | 6;
  readonly firsts: Uint32Array[];
  readonly lasts: Uint32Array[];
  values = new Uint32Array(1024);
  size = 0;
  /** True while every range begins after the end of the range before it. */
  ordered = true;

  constructor(version: 4 | 6) {
    this.version = version;
    const column = () => new Uint32Array(1024);
    this.firsts = Array.from({ length: version === 4 ? 1 : 4 }, column);
    this.lasts = Array.from({ length: version === 4 ? 1 : 4 }, column);
  }

  /** @throws RangeError when the range ends before it begins, the value is none, or the set is full. */
  add(first: ArrayLike<number>, last: ArrayLike<number>, value: number): void {
    if (!(value >= 1 && value <= 0xffff_ffff)) throw new RangeError(`Cannot add a range of value ${value}`);
    if (compareWords(first, last) > 0) {
      throw new RangeError("Cannot add a range that ends before it begins");
    }
    if (this.size === this.values.length) this.#grow();
    const row = this.size;
    if (this.ordered && row > 0) this.ordered = compareRow(this.lasts, row - 1, first) < 0;
    for (let w = 0; w < this.firsts.length; w++) {
      // Inside the bounds: every column is as long as `values`.
      this.firsts[w]![row] = first[w] ?? 0;
      this.lasts[w]![row] = last[w] ?? 0;
    }
    this.values[row] = value;
    this.size = row + 1;
  }

  #grow(): void {
    if (this.values.length >= MAX_RANGES) throw new RangeError(`Cannot hold more than ${MAX_RANGES} ranges`);
    const larger = (column: Uint32Array) => {
      const copy = new Uint32Array(column.length * 2);
      copy.set(column);
      return copy;
    };
    for (let w = 0; w < this.firsts.length; w++) {
      this.firsts[w] = larger(this.firsts[w]!);
      this.lasts[w] = larger(this.lasts[w]!);
    }
    this.values = larger(this.values);
  }
}

/** Compares two addresses of one family in words: negative when `a` is before `b`. */
export function compareWords(a: ArrayLike<number>, b: ArrayLike<number>): number {
  for (let w = 0; w < a.length; w++) {
    const difference = a[w]! - b[w]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * A whole address family divided into rows: row i runs from its start to the next row's start, the last to the end.
 * `starts` are columns of words, most significant first, strictly ascending from zero; id 0 is an explicit gap.
 */
export interface Partition {
  readonly starts: readonly Uint32Array[];
  readonly ids: Uint32Array;
}

/**
 * Whether `first` to `last` (words, most significant first) is a range and not wider than the space of any
 * holder. Default routes, and the filler rows of geolocation files over unallocated space, are wider. Registries get a
 * /12 (https://www.iana.org/assignments/ipv6-unicast-address-assignments).
 */
export function isPlausibleRange(first: Uint32Array, last: Uint32Array): boolean {
  const difference = first.findIndex((word, w) => word !== last[w]);
  if (difference < 0) return true;
  const width = (last[difference] ?? 0) - (first[difference] ?? 0);
  if (width < 0) return false;
  return difference > 0 || width < (first.length === 1 ? MAX_IPV4 : MAX_IPV6_TOP);
}

/** Columns of words with one row for each range or start, most significant word first. */
export type Columns = readonly Uint32Array[];

/** Compares a row of `columns` with words: negative when the row is before them. Columns that are missing are zero. */
export function compareRow(columns: Columns, row: number, words: ArrayLike<number>): number {
  for (let w = 0; w < words.length; w++) {
    const difference = (columns[w]?.[row] ?? 0) - words[w]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Compares row `rowA` of columns `a` with row `rowB` of columns `b`, as {@link compareRow}. */
export function compareRows(a: Columns, rowA: number, b: Columns, rowB: number): number {
  for (let w = 0; w < a.length || w < b.length; w++) {
    const difference = (a[w]?.[rowA] ?? 0) - (b[w]?.[rowB] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

export function copyRow(columns: Columns, row: number, to: Uint32Array): void {
  for (let w = 0; w < to.length; w++) to[w] = columns[w]![row]!;
}

/** Adds one to an address; false when it was the last one of its family. */
export function increment(words: Uint32Array): boolean {
  for (let w = words.length - 1; w >= 0; w--) {
    if (words[w] !== 0xffff_ffff) {
      words[w]! += 1;
      return true;
    }
    words[w] = 0;
  }
  return false;
}
