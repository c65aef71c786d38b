/**
 * The published lists and tables that are downloaded: their description, download, checks, compilation into range
 * tables, and refresh; and the snapshot of lists that ships with the program. Only a refresh uses the network, through the session that it gets.
 */
export { collectFeed, createCollection } from "./compile/collect_feed.ts";
export { type Compiler, createCompiler } from "./compile/compiler.ts";
export { FeedCache } from "./download/feed_cache.ts";
export { type RefreshOutcome, refreshFeed } from "./download/refresh_feed.ts";
export { type AllFeeds, type Feed, type FeedSink, feedHosts, type TableFeed } from "./feed.ts";
export { FeedContent, FeedError } from "./feed_content.ts";
export { FEEDS, TABLE_FEEDS } from "./feeds.ts";
export { type Feeds, listTurnedOff, NOT_DOWNLOADED, NOT_HERE, openFeeds } from "./open_feeds.ts";
export { type FeedSchedule, scheduleFeeds } from "./schedule_feeds.ts";
export { openSnapshot, type Snapshot } from "./snapshot/open_snapshot.ts";
export { prepareSnapshot } from "./snapshot/prepare_snapshot.ts";
export { packSnapshot, type UnpackedList } from "./snapshot/snapshot_file.ts";
