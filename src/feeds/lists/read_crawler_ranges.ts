import * as v from "valibot";
import type { RangeWord } from "#datasets";
import type { FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { dateFact } from "./date_fact.ts";
import { readFeedShape } from "./read_feed_shape.ts";

const CrawlerRangesSchema = v.object({
  creationTime: v.optional(v.string()),
  prefixes: v.array(v.object({ ipv4Prefix: v.optional(v.string()), ipv6Prefix: v.optional(v.string()) })),
});

/** Characters that are never part of a prefix: one publisher's file carried U+200B inside some. */
const STRANGE = /[^0-9a-fA-F:./]/g;

/**
 * Reads the JSON in which operators of crawlers publish their ranges, as Google began it:
 * `{"creationTime": …, "prefixes": [{"ipv4Prefix": …} | {"ipv6Prefix": …}]}`
 * (https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests).
 */
export function readCrawlerRanges(content: FeedContent, sink: FeedSink, word: RangeWord): FeedFacts {
  const { creationTime, prefixes } = readFeedShape(CrawlerRangesSchema, content.json());
  for (const { ipv4Prefix, ipv6Prefix } of prefixes) {
    const texts = [ipv4Prefix, ipv6Prefix].filter((text) => text !== undefined);
    if (texts.length === 0) sink.prefix("", word);
    for (const text of texts) sink.prefix(text.replaceAll(STRANGE, ""), word);
  }
  return dateFact(creationTime);
}
