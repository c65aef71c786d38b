import {
  type Columns,
  compareRow,
  compareRows,
  copyRow,
  increment,
  type Partition,
  type RangeSet,
} from "./range_set.ts";

/**
 * Turns ranges that may overlap into a partition. Where several ranges cover an address, the narrowest one decides, and
 * of equally wide ones the one that was added last. Addresses that no range covers become a gap.
 */
export function flattenRanges(ranges: RangeSet): Partition {
  const cut = new Cut(ranges.firsts.length, 2 * ranges.size + 1);
  if (ranges.ordered) layInOrder(ranges, cut);
  else sweep(ranges, cut);
  return cut.finish();
}

function layInOrder(ranges: RangeSet, cut: Cut): void {
  for (let row = 0; row < ranges.size; row++) {
    if (cut.compare(ranges.firsts, row) < 0) cut.emit(0);
    cut.moveTo(ranges.firsts, row);
    cut.emit(ranges.values[row]!);
    if (!cut.movePast(ranges.lasts, row)) return;
  }
  cut.emit(0);
}

/** Walks over the starts; a heap contains the ranges that are open at the cursor, with the deciding range on top. */
function sweep(ranges: RangeSet, cut: Cut): void {
  const { firsts, lasts, values, size } = ranges;
  const order = Uint32Array.from({ length: size }, (_, row) => row);
  order.sort((a, b) => compareRows(firsts, a, firsts, b));
  const widths = measure(ranges);
  const open: number[] = [];
  const decidesBefore = (a: number, b: number) => (compareRows(widths, a, widths, b) || b - a) < 0;

  /** Emits the open ranges up to the start of `row`, or to the end of the family; false once the end was reached. */
  const advance = (row: number | undefined): boolean => {
    for (let top = open[0]; top !== undefined; top = open[0]) {
      if (cut.compare(lasts, top) > 0) {
        popHeap(open, decidesBefore);
        continue;
      }
      if (row !== undefined && cut.compare(firsts, row) === 0) return true;
      cut.emit(values[top]!);
      if (row !== undefined && compareRows(firsts, row, lasts, top) <= 0) {
        cut.moveTo(firsts, row);
        return true;
      }
      if (!cut.movePast(lasts, top)) return false;
    }
    if (row === undefined) cut.emit(0);
    else if (cut.compare(firsts, row) < 0) {
      cut.emit(0);
      cut.moveTo(firsts, row);
    }
    return true;
  };

  for (const row of order) {
    if (!advance(row)) return;
    pushHeap(open, row, decidesBefore);
  }
  advance(undefined);
}

/** The rows written so far, and the cursor: the first address that no row covers yet. */
class Cut {
  readonly #starts: Uint32Array[];
  readonly #ids: Uint32Array;
  readonly #cursor: Uint32Array;
  #rows = 0;

  constructor(words: number, capacity: number) {
    this.#starts = Array.from({ length: words }, () => new Uint32Array(capacity));
    this.#ids = new Uint32Array(capacity);
    this.#cursor = new Uint32Array(words);
  }

  /** Gives the value `id` to everything from the cursor on; does nothing when it has that value already. */
  emit(id: number): void {
    if (this.#rows > 0 && this.#ids[this.#rows - 1] === id) return;
    for (let w = 0; w < this.#starts.length; w++) this.#starts[w]![this.#rows] = this.#cursor[w]!;
    this.#ids[this.#rows++] = id;
  }

  /** Compares the cursor with a row of `columns`: negative when the cursor is before it. */
  compare(columns: Columns, row: number): number {
    return -compareRow(columns, row, this.#cursor);
  }

  moveTo(columns: Columns, row: number): void {
    copyRow(columns, row, this.#cursor);
  }

  /** Moves the cursor to the address after the row; false when there is none. */
  movePast(columns: Columns, row: number): boolean {
    this.moveTo(columns, row);
    return increment(this.#cursor);
  }

  finish(): Partition {
    return {
      starts: this.#starts.map((column) => column.slice(0, this.#rows)),
      ids: this.#ids.slice(0, this.#rows),
    };
  }
}

/** last − first of every range, in columns like them. */
function measure(ranges: RangeSet): Uint32Array[] {
  const widths = ranges.firsts.map(() => new Uint32Array(ranges.size));
  for (let row = 0; row < ranges.size; row++) {
    let borrow = 0;
    for (let w = widths.length - 1; w >= 0; w--) {
      const difference = ranges.lasts[w]![row]! - ranges.firsts[w]![row]! - borrow;
      borrow = difference < 0 ? 1 : 0;
      widths[w]![row] = difference;
    }
  }
  return widths;
}

function pushHeap(heap: number[], row: number, before: (a: number, b: number) => boolean): void {
  let at = heap.push(row) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!before(row, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = row;
}

function popHeap(heap: number[], before: (a: number, b: number) => boolean): void {
  const row = heap.pop();
  if (row === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
    if (!before(heap[child]!, row)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = row;
}
