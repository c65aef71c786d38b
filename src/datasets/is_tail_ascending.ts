/** Whether the words behind the first of a row are beyond those of the row before; for rows whose first words are equal. */
export function isTailAscending(columns: readonly Uint32Array[], row: number): boolean {
  for (let w = 1; w < columns.length; w++) {
    const difference = columns[w]![row]! - columns[w]![row - 1]!;
    if (difference !== 0) return difference > 0;
  }
  return false;
}
