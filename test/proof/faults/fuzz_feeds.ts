import { AS_CLASSES, DatasetError, LIST_MEANINGS } from "#datasets";
import { FEEDS, type Feed, FeedContent, FeedError, type FeedSink } from "#feeds";
import { collectFeed, createCollection } from "../../../src/feeds/compile/collect_feed.ts";
import { readFeedFixture } from "../../feeds/feed_fixture.ts";
import { createMutator, type Mutator } from "./create_mutator.ts";
import { type Fuzzed, fuzzReader } from "./fuzz_reader.ts";

export { FEEDS };

/** Distinct words are pooled: a collection is thrown away before it has many. */
const CALLS_EACH = 256;
const MOST_CHARACTERS = 1_048_576;

interface Download {
  readonly index: number;
  readonly bytes: Uint8Array;
}

/** Feeds the reader of one downloaded list. @throws when it does anything but refuse, or take rows. */
export function fuzzFeed(feed: Feed, runs: number, seed: number): Fuzzed {
  const at = createMutator(seed);
  const goods = readFeedFixture(feed.id).files;
  let collection = createCollection();
  return fuzzReader({
    runs,
    make(turn) {
      if (turn % CALLS_EACH === 0) collection = createCollection();
      return makeDownload(at.pick(goods), at);
    },
    read(download) {
      // What `make` gave.
      const { index, bytes } = download as Download;
      const content = new FeedContent({ url: feed.files[index]?.url ?? "", index, bytes, now: NOW });
      return collectFeed(feed, collection, (sink) => feed.parse(content, checkRows(feed, sink))).rows;
    },
    isRefusal: (error) => error instanceof FeedError || error instanceof DatasetError,
    check: () => 0,
  });
}

/** A sink that checks every row against the metadata of the feed before it takes the row. */
function checkRows(feed: Feed, sink: FeedSink): FeedSink {
  const meanings: ReadonlySet<string> = new Set(feed.meanings);
  return {
    prefix(text, info) {
      if (!meanings.has(info.meaning)) throw new Error(`Cannot take a row of the meaning ${info.meaning}`);
      sink.prefix(text, info);
    },
    network(asn, info) {
      const { asClass, meaning, country = "ZZ" } = info;
      const isKnown =
        feed.networks === true &&
        (asClass === undefined || AS_CLASSES.includes(asClass)) &&
        (meaning === undefined || LIST_MEANINGS.includes(meaning));
      if (!isKnown || !/^[A-Z]{2}$/.test(country)) throw new Error(`Cannot take ${JSON.stringify(info)}`);
      sink.network(asn, info);
    },
  };
}

const NOW = Date.UTC(2026, 2, 5);

/** A good download with a damaged field, line or bytes. */
function makeDownload({ index, bytes }: Download, at: Mutator): Download {
  const text = new TextDecoder().decode(bytes);
  const kind = at.random();
  if (kind < 0.1) return { index, bytes: noise(at) };
  if (kind < 0.6 && /^\s*[[{]/.test(text)) {
    const good = parse(text);
    const mutated = good === undefined ? undefined : JSON.stringify(at.mutate(good));
    // What is longer was never downloaded.
    if (mutated !== undefined && mutated.length <= MOST_CHARACTERS)
      return { index, bytes: Buffer.from(mutated) };
  }
  return { index, bytes: Buffer.from(at.text(text)) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function noise(at: Mutator): Uint8Array {
  const start = Math.floor(at.random() * 256);
  return Uint8Array.from({ length: Math.floor(at.random() * 600) }, (_, place) => (start + place * 73) & 255);
}
