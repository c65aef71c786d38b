import type { Address } from "#address";
import { DatasetError } from "./files.ts";
import type { RangeIndex, RunIndex } from "./range_index.ts";

/** The rows of one address family, as views over the table's buffer. */
export interface FamilyRows {
  /** Columns of words, most significant first: 1 for IPv4, 2 to 4 for IPv6, the rest being zero in every start. */
  readonly starts: readonly Uint32Array[];
  readonly ids: Uint16Array | Uint32Array;
}

/** The rows of IPv4, with the index over their one word. */
export interface Ipv4Rows extends FamilyRows {
  readonly index: RangeIndex;
}

/** The rows of IPv6, with the index over their first two words. */
export interface Ipv6Rows extends FamilyRows {
  readonly runs: RunIndex;
}

/** The content and the origin of a table. `rows` counts the ranges that have a value. */
export interface TableFacts {
  readonly file: string;
  readonly id: string;
  readonly origin: string;
  readonly date: string;
  readonly rows: number;
  readonly bytes: number;
}

/** An open table: finds the value of an address without allocating. */
export class RangeTable<Value> {
  readonly facts: TableFacts;
  readonly #ipv4: Ipv4Rows | undefined;
  readonly #ipv6: Ipv6Rows | undefined;
  /** Decoded on first use, then shared by all callers; 0 is the gap. */
  readonly #values: (Value | undefined)[];
  readonly #decode: (id: number) => Value;

  constructor(
    facts: TableFacts,
    families: { readonly ipv4?: Ipv4Rows; readonly ipv6?: Ipv6Rows },
    values: { readonly count: number; readonly decode: (id: number) => Value },
  ) {
    this.facts = facts;
    this.#ipv4 = families.ipv4;
    this.#ipv6 = families.ipv6;
    this.#values = new Array<Value | undefined>(values.count + 1).fill(undefined);
    this.#decode = values.decode;
  }

  /**
   * The value of the range that contains `address`; undefined where the table has a gap.
   * @throws {DatasetError} when the table does not cover that family.
   */
  find(address: Address): Value | undefined {
    return this.valueOf(address.version === 4 ? this.#find4(address.words[0]!) : this.#find6(address.words));
  }

  /** The rows of a family; undefined when the table does not cover it. */
  rows(version: 4 | 6): FamilyRows | undefined {
    return version === 4 ? this.#ipv4 : this.#ipv6;
  }

  /** The value of an id in the rows; undefined for a gap. */
  valueOf(id: number): Value | undefined {
    return id === 0 ? undefined : (this.#values[id] ?? this.#remember(id));
  }

  /** Like {@link valueOf} of a value, but does not keep it in memory: for walks through a whole table. */
  peek(id: number): Value {
    return this.#values[id] ?? this.#decode(id);
  }

  /** The number of values; ids go from 1 to it. */
  get valueCount(): number {
    return this.#values.length - 1;
  }

  #find4(word: number): number {
    const rows = this.#ipv4;
    if (rows === undefined) throw this.#uncovered(4);
    return rows.ids[findIndexed(rows.index, rows.starts[0]!, word)]!;
  }

  #find6(words: readonly number[]): number {
    const family = this.#ipv6;
    if (family === undefined) throw this.#uncovered(6);
    const { runs, ids } = family;
    const top = words[0]!;
    const next = words[1]!;
    const run = findIndexed(runs.index, runs.tops, top);
    let low = runs.rows[run]!;
    let size = runs.rows[run + 1]! - low;
    if (runs.tops[run] !== top) return ids[low + size - 1]!;
    const nexts = family.starts[1]!;
    const at = runs.at[run]!;
    if (at > 0) {
      const base = nexts[low]!;
      if (next < base) return ids[low - 1]!;
      const own = (next - base) >>> runs.shift[run]!;
      const bucket = at + Math.min(own, runs.last[run]!);
      low = runs.buckets[bucket]!;
      size = runs.buckets[bucket + 1]! - low;
    }
    while (size > 0) {
      const half = size >>> 1;
      const row = low + half;
      const start = nexts[row]!;
      if (start < next || (start === next && isTailReached(family.starts, row, words))) {
        low = row + 1;
        size -= half + 1;
      } else size = half;
    }
    return ids[low - 1]!;
  }

  #remember(id: number): Value {
    const value = this.#decode(id);
    this.#values[id] = value;
    return value;
  }

  #uncovered(version: 4 | 6): DatasetError {
    return new DatasetError(
      `Cannot look up an IPv${version} address in "${this.facts.file}": it has no such rows`,
    );
  }
}

/** Finds the last of the ascending words that is at most `word`. It always exists, because the first one is zero. */
function findIndexed({ base, shift, buckets, counts }: RangeIndex, words: Uint32Array, word: number): number {
  const bucket = word < base ? 0 : Math.min((word - base) >>> shift, buckets - 1);
  let low = counts[bucket]!;
  let size = counts[bucket + 1]! - low;
  while (size > 0) {
    const half = size >>> 1;
    if (words[low + half]! <= word) {
      low += half + 1;
      size -= half + 1;
    } else size = half;
  }
  return low - 1;
}

/** Whether the lower words of a start are at or before those of an address with the same first two words. */
function isTailReached(starts: readonly Uint32Array[], row: number, words: readonly number[]): boolean {
  for (let w = 2; w < starts.length; w++) {
    const start = starts[w]![row]!;
    const word = words[w]!;
    if (start !== word) return start < word;
  }
  return true;
}
