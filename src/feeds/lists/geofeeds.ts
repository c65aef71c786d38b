import { formatPlaceRow } from "#datasets";
import type { FeedFacts, TableFeed, TableSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { readGeofeedRows } from "./readers.ts";

/**
 * The geofeeds of all operators (RFC 8805). The publisher finds them through the registries, and keeps only the prefixes
 * inside the block whose registration names the geofeed (RFC 9632 section 5).
 */
export const geofeeds = {
  id: "geofeeds",
  name: "Validated geofeeds",
  family: "geofeeds",
  licence: "published by the operators for geolocation",
  attribution: "geolocatemuch.com",
  homepage: "https://github.com/massimocandela/geofeed-finder",
  files: [{ url: "https://geolocatemuch.com/geofeeds/validated-all.csv", maxBytes: 134_217_728 }],
  table: "geofeed",
  revision: 1,
  cadenceMs: 172_800_000,
  minRanges: { ipv4: 20_000, ipv6: 5_000 },
  maxRanges: 3_000_000,
  parse: readGeofeeds,
} as const satisfies TableFeed;

/** A row without a country declares no place, so it is left out. @throws {FeedError} as {@link readGeofeedRows}. */
function readGeofeeds(content: FeedContent, sink: TableSink): FeedFacts {
  for (const { prefix, place } of readGeofeedRows(content)) {
    if (place !== undefined) sink.prefix(prefix, formatPlaceRow(place));
  }
  return {};
}
