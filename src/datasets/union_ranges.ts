import {
  type Columns,
  compareRow,
  compareRows,
  compareWords,
  copyRow,
  increment,
  type Partition,
  type RangeSet,
} from "./range_set.ts";

/**
 * Turns ranges that may overlap into a partition in which every row stands for all ranges that cover it. `internSet`
 * gets the value ids of those ranges, sorted and without repetitions in an array that is reused between calls, and
 * gives the id of the set. Addresses that no range covers become a gap.
 */
export function unionRanges(
  ranges: Pick<RangeSet, "firsts" | "lasts" | "values" | "size" | "ordered">,
  internSet: (values: readonly number[]) => number,
): Partition {
  const { firsts, lasts, values, size } = ranges;
  const openings = ranges.ordered ? numberRows(size) : sortRows(firsts, size);
  const closings = ranges.ordered ? openings : sortRows(lasts, size);
  const starts = firsts.map(() => new Uint32Array(2 * size + 1));
  const ids = new Uint32Array(2 * size + 1);
  const boundary = new Uint32Array(firsts.length);
  const open = new OpenSet(values.subarray(0, size));
  let rows = 1;
  let opening = 0;
  let closing = 0;
  while (closing < size) {
    const next = openings[opening];
    if (next !== undefined && compareRows(firsts, next, lasts, closings[closing]!) <= 0) {
      copyRow(firsts, next, boundary);
    } else {
      copyRow(lasts, closings[closing]!, boundary);
      if (!increment(boundary)) break;
    }
    while (closing < size && compareRow(lasts, closings[closing]!, boundary) < 0) {
      open.remove(values[closings[closing++]!]!);
    }
    while (opening < size && compareRow(firsts, openings[opening]!, boundary) === 0) {
      open.add(values[openings[opening++]!]!);
    }
    const id = open.values.length === 0 ? 0 : internSet(open.values);
    if (ids[rows - 1] === id) continue;
    // The first row always begins at zero, so a boundary at zero adds no row.
    if (!boundary.every((word) => word === 0)) {
      for (let w = 0; w < starts.length; w++) starts[w]![rows] = boundary[w]!;
      rows++;
    }
    ids[rows - 1] = id;
  }
  return { starts: starts.map((column) => column.slice(0, rows)), ids: ids.slice(0, rows) };
}

/**
 * Turns ranges that may overlap into a partition. Where several ranges cover an address, the narrowest one decides, and
 * of equally wide ones the one that was added last. Addresses that no range covers become a gap.
 */
export function flattenRanges(ranges: RangeSet): Partition {
  const { firsts, lasts, values, size, ordered } = ranges;
  // Each range stands for itself, by the number of its row from 1.
  const numbers = numberRows(size, 1);
  return unionRanges({ firsts, lasts, size, ordered, values: numbers }, (open) => {
    const deciding = open.reduce((best, row) => (isWider(ranges, row - 1, best - 1) ? best : row));
    return values[deciding - 1]!;
  });
}

/** Whether row `a` covers more addresses than row `b`. */
function isWider(ranges: RangeSet, a: number, b: number): boolean {
  return compareWords(measureRow(ranges, a), measureRow(ranges, b)) > 0;
}

/** last − first of a row in words, most significant first. */
function measureRow({ firsts, lasts }: RangeSet, row: number): Uint32Array {
  const width = new Uint32Array(firsts.length);
  let borrow = 0;
  for (let w = width.length - 1; w >= 0; w--) {
    const difference = lasts[w]![row]! - firsts[w]![row]! - borrow;
    borrow = difference < 0 ? 1 : 0;
    width[w] = difference;
  }
  return width;
}

function numberRows(size: number, from = 0): Uint32Array<ArrayBuffer> {
  const rows = new Uint32Array(size);
  for (let row = 0; row < size; row++) rows[row] = row + from;
  return rows;
}

/** The values of the open ranges: each once and sorted, however many ranges have it. */
class OpenSet {
  readonly values: number[] = [];
  readonly #counts: Uint32Array;

  constructor(values: Uint32Array) {
    let largest = 0;
    for (const value of values) if (value > largest) largest = value;
    this.#counts = new Uint32Array(largest + 1);
  }

  add(value: number): void {
    if (this.#counts[value]! === 0) this.values.splice(this.#find(value), 0, value);
    this.#counts[value]! += 1;
  }

  remove(value: number): void {
    this.#counts[value]! -= 1;
    if (this.#counts[value]! === 0) this.values.splice(this.#find(value), 1);
  }

  /** Index at which the value is, or has to be inserted. */
  #find(value: number): number {
    let low = 0;
    let high = this.values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.values[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A double holds 53 bits exactly: 32 bits of the first word and 21 bits of the row. */
const ROW_LIMIT = 2 ** 21;

/** Rows in ascending order of their words. Numbers made of the first word and the row sort without a comparator. */
function sortRows(columns: Columns, size: number): Uint32Array {
  const order = numberRows(size);
  if (size > ROW_LIMIT) return order.sort((a, b) => compareRows(columns, a, columns, b));
  const keys = new Float64Array(size);
  const top = columns[0]!;
  for (let row = 0; row < size; row++) keys[row] = top[row]! * ROW_LIMIT + row;
  keys.sort();
  for (let at = 0; at < size; at++) order[at] = keys[at]! % ROW_LIMIT;
  if (columns.length > 1) {
    for (let from = 0; from < size; ) {
      let to = from + 1;
      while (to < size && top[order[to]!] === top[order[from]!]) to++;
      if (to - from > 1) order.subarray(from, to).sort((a, b) => compareRows(columns, a, columns, b));
      from = to;
    }
  }
  return order;
}
