/**
 * What we know without asking: compact range tables of our own, opened in milliseconds and looked up without
 * allocation, the seed they are first compiled from, and the lists that are downloaded, checked and compiled into
 * one more. Only refreshing a list reaches the network, through the session it is given.
 */
export { type Compiler, createCompiler } from "./compile_in_worker.ts";
export { compileTable, type TableSource } from "./compile_table.ts";
export { type CompiledTableFeed, compileTableFeed } from "./compile_table_feed.ts";
export { DatasetError } from "./dataset_error.ts";
export type { AsnRow, Datasets, TableId, TableState } from "./datasets.ts";
export { encodeTable, type TableContent } from "./encode_table.ts";
export { feedHosts } from "./feed_hosts.ts";
export { FeedShelf } from "./feed_shelf.ts";
export type { FeedState } from "./feed_state.ts";
export type {
  AsClass,
  Feed,
  FeedFile,
  FeedSink,
  ListMeaning,
  ListPlace,
  NetworkWord,
  RangeWord,
} from "./feeds/feed.ts";
export { FeedContent } from "./feeds/feed_content.ts";
export { FeedError } from "./feeds/feed_error.ts";
export { FEEDS } from "./feeds/feeds.ts";
export type { TableFeed, TableSink } from "./feeds/table_feed.ts";
export { TABLE_FEEDS } from "./feeds/table_feeds.ts";
export type { ListEntry, NetworkEntry } from "./list_entry.ts";
export { openDatasets } from "./open_datasets.ts";
export { type Feeds, openFeeds } from "./open_feeds.ts";
export { openTable } from "./open_table.ts";
export type { Partition } from "./partition.ts";
export { prepareSeed, type SeedOptions, type SeedOutcome } from "./prepare_seed.ts";
export { RangeSet } from "./range_set.ts";
export type { RangeTable } from "./range_table.ts";
export { readTable, type TableWanted } from "./read_table.ts";
export { type RefreshOutcome, type RefreshPorts, refreshFeed } from "./refresh_feed.ts";
export { replaceFile } from "./replace_file.ts";
export {
  type FeedSchedule,
  type FeedSession,
  type ScheduleOptions,
  scheduleFeeds,
} from "./schedule_feeds.ts";
export type { SeedRecipe } from "./seed_recipe.ts";
export { SEED_RECIPES } from "./seed_recipes.ts";
export { ValuePool } from "./value_pool.ts";
