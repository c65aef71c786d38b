import { encodeTable, type RangeSet, type RefusalReason, unionRanges, ValuePool } from "#datasets";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import { type DownloadedFile, FeedError, openFeedContent } from "../feed_content.ts";
import { type Collection, collectFeed, createCollection, type FeedCounts } from "./collect_feed.ts";
import { LISTS_TABLE, NETWORKS_TABLE } from "./table_files.ts";

const MAX_INFOS_PER_FEED = 16;

export interface FeedDownload {
  readonly feed: Feed;
  readonly files: readonly DownloadedFile[];
}

/** The result of reading a download: its counts, or why it is refused. `file` is the only refused file. */
export type FeedReading =
  | ({ readonly id: string; readonly good: true } & FeedCounts & FeedFacts)
  | {
      readonly id: string;
      readonly good: false;
      readonly problem: string;
      readonly reason?: RefusalReason;
      readonly file?: number;
    };

/** Reads a download and counts its rows, without keeping them. `nowMs` is the time for which it is read. */
export function inspectDownload(download: FeedDownload, nowMs: number): FeedReading {
  return readInto(download, createCollection(), nowMs);
}

/**
 * Compiles all feeds into one table of ranges and one of networks. A value is the set of infos about its range, as a
 * JSON array. A feed that cannot be read is left out; its reading says why.
 * @throws RangeError when a table is too large for the format.
 */
export function compileLists(
  downloads: Iterable<FeedDownload>,
  made: { readonly origin: string; readonly nowMs: number },
) {
  const collection = createCollection();
  const readings: FeedReading[] = [];
  for (const download of downloads) readings.push(readInto(download, collection, made.nowMs));
  const { ipv4, ipv6, networks, infos, networkInfos } = collection;
  const sets = new SetPool(infos);
  const networkSets = new SetPool(networkInfos);
  const cut = (ranges: RangeSet, pool: SetPool) => unionRanges(ranges, (values) => pool.intern(values));
  const parts = { ipv4: cut(ipv4, sets), ipv6: cut(ipv6, sets), networks: cut(networks, networkSets) };
  const facts = { origin: made.origin, date: new Date(made.nowMs).toISOString().slice(0, 10) };
  return {
    lists: encodeTable({ ...facts, id: LISTS_TABLE, ipv4: parts.ipv4, ipv6: parts.ipv6, values: sets.texts }),
    networks: encodeTable({ ...facts, id: NETWORKS_TABLE, ipv4: parts.networks, values: networkSets.texts }),
    readings,
  };
}

/** Stores sets of infos as JSON arrays, each set once. */
class SetPool {
  readonly texts = new ValuePool();
  readonly #infos: readonly string[];
  readonly #feeds: readonly string[];
  readonly #ids = new Map<string, number>();

  constructor(infos: ValuePool) {
    this.#infos = [...infos.texts()];
    this.#feeds = this.#infos.map((text) => text.slice(0, text.indexOf('"', FEED_AT)));
  }

  intern(values: readonly number[]): number {
    const bounded = values.length <= MAX_INFOS_PER_FEED ? values : this.#bound(values);
    const key = bounded.join();
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.texts.intern(`[${bounded.map((value) => this.#infos[value - 1]).join()}]`);
    this.#ids.set(key, id);
    return id;
  }

  /** Bounds the infos of each feed; they are neighbours, because feeds are read one after the other. */
  #bound(values: readonly number[]): readonly number[] {
    let run = 0;
    let feed = "";
    return values.filter((value) => {
      const own = this.#feeds[value - 1] ?? "";
      run = own === feed ? run + 1 : 1;
      feed = own;
      return run <= MAX_INFOS_PER_FEED;
    });
  }
}

/** Every info begins with the id of its feed: `{"feed":"`. */
const FEED_AT = '{"feed":"'.length;

function readInto(download: FeedDownload, collection: Collection, nowMs: number): FeedReading {
  const { feed, files } = download;
  let facts: FeedFacts = {};
  const read = (sink: FeedSink) => {
    for (const file of files) {
      facts = { ...facts, ...feed.parse(openFeedContent(feed, file, nowMs), sink) };
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

/** Describes an error of a reader; any other than {@link FeedError} comes from a file that the reader cannot read. */
export function describeRefusal(error: unknown): {
  readonly problem: string;
  readonly reason?: RefusalReason;
  readonly file?: number;
} {
  if (!(error instanceof FeedError)) return { problem: "it cannot be read" };
  const { message, reason, file } = error;
  return {
    problem: message,
    ...(reason === undefined ? {} : { reason }),
    ...(file === undefined ? {} : { file }),
  };
}
