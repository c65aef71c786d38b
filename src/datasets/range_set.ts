/** Ranges a set can hold: 2^26, so that a hostile file cannot ask for all memory. */
const MAX_RANGES = 67_108_864;

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
  /** Whether every range so far begins after the end of the one before it. */
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
    if (compareWords(first, last, this.firsts.length) > 0) {
      throw new RangeError("Cannot add a range that ends before it begins");
    }
    if (this.size === this.values.length) this.#grow();
    const row = this.size;
    if (this.ordered && row > 0) this.ordered = isBefore(this.lasts, row - 1, first);
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

function compareWords(a: ArrayLike<number>, b: ArrayLike<number>, words: number): number {
  for (let w = 0; w < words; w++) {
    const difference = (a[w] ?? 0) - (b[w] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isBefore(columns: readonly Uint32Array[], row: number, words: ArrayLike<number>): boolean {
  for (let w = 0; w < columns.length; w++) {
    const difference = columns[w]![row]! - (words[w] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
