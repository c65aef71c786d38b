/**
 * What we know without asking: compact range tables of our own, opened in milliseconds and looked up without
 * allocation, and the seed they are first compiled from. Files only; nothing here reaches the network.
 */
export { compileTable, type TableSource } from "./compile_table.ts";
export { DatasetError } from "./dataset_error.ts";
export type { AsnRow, Datasets, TableId, TableState } from "./datasets.ts";
export { encodeTable, type TableContent } from "./encode_table.ts";
export { openDatasets } from "./open_datasets.ts";
export { openTable } from "./open_table.ts";
export type { Partition } from "./partition.ts";
export { prepareSeed, type SeedOptions, type SeedOutcome } from "./prepare_seed.ts";
export { RangeSet } from "./range_set.ts";
export type { RangeTable } from "./range_table.ts";
export { readTable, type TableWanted } from "./read_table.ts";
export { replaceFile } from "./replace_file.ts";
export type { SeedRecipe } from "./seed_recipe.ts";
export { SEED_RECIPES } from "./seed_recipes.ts";
export { ValuePool } from "./value_pool.ts";
