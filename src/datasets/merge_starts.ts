import { type Columns, compareRows, compareWords, increment } from "./range_set.ts";

/**
 * Returns the starts of the blocks of one address family and of the space behind each, in order, as columns of words. A
 * block is given by its first and last address, in words, most significant first.
 */
export function startsOfBlocks(
  version: 4 | 6,
  blocks: readonly { readonly first: ArrayLike<number>; readonly last: ArrayLike<number> }[],
): Columns {
  const width = version === 4 ? 1 : 4;
  const own = blocks.filter(({ first }) => first.length === width);
  const starts = own.flatMap(({ first, last }) => {
    const next = Uint32Array.from(last);
    return increment(next) ? [Uint32Array.from(first), next] : [Uint32Array.from(first)];
  });
  starts.sort(compareWords);
  return Array.from({ length: width }, (_, w) => Uint32Array.from(starts, (start) => start[w] ?? 0));
}

/**
 * Merges the starts of several partitions of one address family: each once, in order, in words. Columns that a
 * partition lacks are zero.
 */
export function* mergeStarts(version: 4 | 6, partitions: readonly Columns[]): Generator<readonly number[]> {
  const width = version === 4 ? 1 : 4;
  const rows = partitions.map(() => 0);
  for (;;) {
    let least = -1;
    for (let p = 0; p < partitions.length; p++) {
      if (rows[p]! >= partitions[p]![0]!.length) continue;
      if (least < 0 || compareRows(partitions[p]!, rows[p]!, partitions[least]!, rows[least]!) < 0) least = p;
    }
    if (least < 0) return;
    const columns = partitions[least]!;
    const row = rows[least]!;
    for (let p = 0; p < partitions.length; p++) {
      const isSame = p !== least && rows[p]! < partitions[p]![0]!.length;
      if (isSame && compareRows(partitions[p]!, rows[p]!, columns, row) === 0) rows[p]! += 1;
    }
    // Blocks may begin at the same address, so one partition can have a start twice.
    do rows[least]! += 1;
    while (rows[least]! < columns[0]!.length && compareRows(columns, rows[least]!, columns, row) === 0);
    yield Array.from({ length: width }, (_, w) => columns[w]?.[row] ?? 0);
  }
}
