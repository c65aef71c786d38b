/**
 * The published lists and tables that are downloaded: what each one is, how it is downloaded, checked, compiled into
 * range tables, and refreshed. Only refreshing uses the network, through the session it is given.
 */
export { type Compiler, createCompiler } from "./compile_in_worker.ts";
export { type CompiledTableFeed, compileTableFeed } from "./compile_table_feed.ts";
export type { Feed, FeedFile, FeedSink } from "./feed.ts";
export { FeedContent } from "./feed_content.ts";
export { FeedError } from "./feed_error.ts";
export { feedHosts } from "./feed_hosts.ts";
export { FeedShelf } from "./feed_shelf.ts";
export { FEEDS } from "./feeds.ts";
export { type Feeds, openFeeds } from "./open_feeds.ts";
export { type RefreshOutcome, type RefreshPorts, refreshFeed } from "./refresh_feed.ts";
export {
  type FeedSchedule,
  type FeedSession,
  type ScheduleOptions,
  scheduleFeeds,
} from "./schedule_feeds.ts";
export type { TableFeed, TableSink } from "./table_feed.ts";
export { TABLE_FEEDS } from "./table_feeds.ts";
