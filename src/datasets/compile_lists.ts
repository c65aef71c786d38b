import { type Collection, collectFeed, createCollection, type FeedCounts } from "./collect_feed.ts";
import { encodeTable } from "./encode_table.ts";
import type { Feed, FeedFacts, FeedSink } from "./feeds/feed.ts";
import { FeedError, type RefusalReason } from "./feeds/feed_error.ts";
import { openFeedContent } from "./open_feed_content.ts";
import type { RangeSet } from "./range_set.ts";
import { unionRanges } from "./union_ranges.ts";
import { ValuePool } from "./value_pool.ts";

/** Names of the two tables, as their files say. */
export const LISTS_TABLE = "lists";
export const NETWORKS_TABLE = "networks";

/** Most words of one feed in one set; a list that says more about one address says nothing. */
const MAX_WORDS_A_FEED = 16;

/** A feed and its files as they were downloaded. */
export interface FeedDownload {
  readonly feed: Feed;
  readonly files: readonly { readonly index: number; readonly url: string; readonly bytes: Uint8Array }[];
}

/** What a feed's download holds, or why it is not what it should be. */
export type FeedReading =
  | ({ readonly id: string; readonly good: true } & FeedCounts & FeedFacts)
  | { readonly id: string; readonly good: false; readonly problem: string; readonly reason?: RefusalReason };

/** The two tables over all feeds, each over a buffer of its own. */
export interface ListTables {
  readonly lists: Uint8Array<ArrayBuffer>;
  readonly networks: Uint8Array<ArrayBuffer>;
  readonly readings: readonly FeedReading[];
}

/** Reads a download and counts what it holds, keeping nothing. `nowMs` is the moment for which it is read. */
export function inspectDownload(download: FeedDownload, nowMs: number): FeedReading {
  return readInto(download, createCollection(), nowMs);
}

/**
 * Compiles all feeds into one table of ranges and one of networks, whose values are the sets of words about them
 * (JSON arrays). A feed that cannot be read is left out and says so.
 * @throws RangeError when a table is too large for the format.
 */
export function compileLists(
  downloads: Iterable<FeedDownload>,
  made: { readonly origin: string; readonly nowMs: number },
): ListTables {
  const collection = createCollection();
  const readings: FeedReading[] = [];
  for (const download of downloads) readings.push(readInto(download, collection, made.nowMs));
  const { ipv4, ipv6, networks, words, networkWords } = collection;
  const sets = new SetPool(words);
  const networkSets = new SetPool(networkWords);
  const cut = (ranges: RangeSet, pool: SetPool) => unionRanges(ranges, (values) => pool.intern(values));
  const parts = { ipv4: cut(ipv4, sets), ipv6: cut(ipv6, sets), networks: cut(networks, networkSets) };
  const facts = { origin: made.origin, date: new Date(made.nowMs).toISOString().slice(0, 10) };
  return {
    lists: encodeTable({
      ...facts,
      id: LISTS_TABLE,
      ipv4: parts.ipv4,
      ipv6: parts.ipv6,
      values: sets.texts,
    }),
    networks: encodeTable({ ...facts, id: NETWORKS_TABLE, ipv4: parts.networks, values: networkSets.texts }),
    readings,
  };
}

/** Sets of words as JSON arrays, each kept once. */
class SetPool {
  readonly texts = new ValuePool();
  readonly #words: readonly string[];
  readonly #feeds: readonly string[];
  readonly #ids = new Map<string, number>();
  readonly #single: number[] = [];

  constructor(words: ValuePool) {
    this.#words = [...words.texts()];
    this.#feeds = this.#words.map((text) => text.slice(0, text.indexOf('"', FEED_AT)));
  }

  intern(values: readonly number[]): number {
    if (values.length === 1) {
      const value = values[0]!;
      this.#single[value] ??= this.texts.intern(`[${this.#words[value - 1]}]`);
      return this.#single[value];
    }
    const key = values.length <= MAX_WORDS_A_FEED ? values.join() : this.#bound(values).join();
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const bounded = values.length <= MAX_WORDS_A_FEED ? values : this.#bound(values);
    const id = this.texts.intern(`[${bounded.map((value) => this.#words[value - 1]).join()}]`);
    this.#ids.set(key, id);
    return id;
  }

  /** The words of a feed are neighbours, because feeds are read one after the other. */
  #bound(values: readonly number[]): readonly number[] {
    let run = 0;
    let feed = "";
    return values.filter((value) => {
      const own = this.#feeds[value - 1] ?? "";
      run = own === feed ? run + 1 : 1;
      feed = own;
      return run <= MAX_WORDS_A_FEED;
    });
  }
}

/** Every word begins with the feed's id: `{"feed":"`. */
const FEED_AT = '{"feed":"'.length;

function readInto(download: FeedDownload, collection: Collection, nowMs: number): FeedReading {
  const { feed, files } = download;
  let facts: FeedFacts = {};
  const read = (sink: FeedSink) => {
    for (const file of files) {
      const said = feed.parse(openFeedContent(feed, file, nowMs), sink);
      facts = { ...facts, ...readDate(said) };
    }
  };
  try {
    const counts = collectFeed(feed, collection, read);
    if (counts.rows < feed.minRows) {
      throw new FeedError(`it has ${counts.rows} rows, at least ${feed.minRows} expected`);
    }
    return { id: feed.id, good: true, ...counts, ...facts };
  } catch (error) {
    return { id: feed.id, good: false, ...describeRefusal(error) };
  }
}

function readDate(facts: FeedFacts): FeedFacts {
  const { date } = facts;
  return date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date) ? { date } : {};
}

/** What a feed throws besides {@link FeedError} comes of a file that is not what its reader expects. */
export function describeRefusal(error: unknown): {
  readonly problem: string;
  readonly reason?: RefusalReason;
} {
  if (!(error instanceof FeedError)) return { problem: "it cannot be read" };
  const { message, reason } = error;
  return { problem: message, ...(reason === undefined ? {} : { reason }) };
}
