/**
 * Compact range tables, which are opened in milliseconds and looked up without allocation; the embedded seed; and the
 * meaning of the entries that downloaded lists add. This module does not use the network.
 */
export { readCsv, splitCsvLine } from "./csv.ts";
export * from "./datasets.ts";
export { compileTable, encodeTable, ValuePool } from "./encode_table.ts";
export { DatasetError, replaceFile, syncToDisk } from "./files.ts";
export { mergeStarts, startsOfBlocks } from "./merge_starts.ts";
export { openTable, readTable } from "./open_table.ts";
export { prepareSeed, readTableOrigin } from "./prepare_seed.ts";
export { type Columns, compareWords, isPlausibleRange, RangeSet } from "./range_set.ts";
export type { RangeTable } from "./range_table.ts";
export { SEED_TABLES, type SeedTable } from "./seed_tables.ts";
export * from "./table_values.ts";
export { unionRanges } from "./union_ranges.ts";
export { walkMmdb } from "./walk_mmdb.ts";
export { walkTables } from "./walk_tables.ts";
