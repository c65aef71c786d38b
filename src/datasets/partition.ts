/**
 * A whole address family cut into rows: row i runs from its start to the next row's start, the last to the end.
 * `starts` are columns of words, most significant first, strictly ascending from zero; id 0 is an explicit gap.
 */
export interface Partition {
  readonly starts: readonly Uint32Array[];
  readonly ids: Uint32Array;
}
