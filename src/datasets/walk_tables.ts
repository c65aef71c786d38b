import { type Columns, compareRow, compareWords } from "./range_set.ts";
import type { FamilyRows, RangeTable } from "./range_table.ts";

/** A table on its way through the addresses: its rows, and the row that contains the current address. */
interface Cursor {
  readonly rows: FamilyRows;
  /** Position of its id among the ids of all tables. */
  readonly at: number;
  row: number;
}

/**
 * Divides the addresses from `first` to `last` (words, most significant first) into the ranges in which no table
 * changes, and visits them in order with the id of each table's value, 0 for a gap. The arrays are reused.
 */
export function walkTables(
  tables: readonly RangeTable<unknown>[],
  first: readonly number[],
  last: readonly number[],
  visit: (first: Uint32Array, last: Uint32Array, ids: Uint32Array) => void,
): void {
  const ids = new Uint32Array(tables.length);
  const cursors = tables.flatMap((table, at): Cursor[] => {
    const rows = table.rows(first.length === 1 ? 4 : 6);
    return rows === undefined ? [] : [{ rows, at, row: findRow(rows.starts, first) }];
  });
  const from = Uint32Array.from(first);
  const to = new Uint32Array(first.length);
  const next = new Uint32Array(first.length);
  for (;;) {
    let hasNext = false;
    for (const { rows, at, row } of cursors) {
      ids[at] = rows.ids[row]!;
      const { starts } = rows;
      if (row + 1 >= starts[0]!.length) continue;
      if (hasNext && compareRow(starts, row + 1, next) >= 0) continue;
      hasNext = true;
      for (let w = 0; w < next.length; w++) next[w] = starts[w]?.[row + 1] ?? 0;
    }
    if (!hasNext || compareWords(next, last) > 0) {
      to.set(last);
      visit(from, to, ids);
      return;
    }
    to.set(next);
    decrement(to);
    visit(from, to, ids);
    from.set(next);
    for (const cursor of cursors) {
      const { starts } = cursor.rows;
      const row = cursor.row + 1;
      if (row < starts[0]!.length && compareRow(starts, row, next) === 0) cursor.row = row;
    }
  }
}

/** Finds the last row that begins at `words` or before. */
function findRow(starts: Columns, words: readonly number[]): number {
  let low = 0;
  let high = starts[0]!.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRow(starts, middle, words) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Subtracts one from an address that is not the first one of its family. */
function decrement(words: Uint32Array): void {
  for (let w = words.length - 1; w >= 0; w--) {
    if (words[w] !== 0) {
      words[w]! -= 1;
      return;
    }
    words[w] = 0xffff_ffff;
  }
}
