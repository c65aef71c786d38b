import { type RangeWord, readPlace, splitCsvLine } from "#datasets";
import type { FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { FeedError } from "../feed_error.ts";

/**
 * Reads a geofeed: `prefix,country,region,city,postal code`, `#` begins a remark (RFC 8805 section 2.1).
 * @throws {FeedError} when a line has no second field.
 */
export function readGeofeed(content: FeedContent, sink: FeedSink, word: RangeWord): FeedFacts {
  for (const line of content.lines()) {
    if (line.startsWith("#")) continue;
    const [prefix = "", country, region, city] = splitCsvLine(line);
    if (country === undefined) throw new FeedError("a line is no row of a geofeed");
    const place = readPlace(country, region, city);
    sink.prefix(prefix, place === undefined ? word : { ...word, place });
  }
  return {};
}
