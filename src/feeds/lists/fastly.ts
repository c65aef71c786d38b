import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

const FastlyRangesSchema = v.object({
  addresses: v.array(v.string()),
  ipv6_addresses: v.array(v.string()),
});

/** Fastly's edge (https://www.fastly.com/documentation/reference/api/utils/public-ip-list/). */
export const fastly = {
  id: "fastly",
  name: "Fastly",
  family: "fastly",
  licence: "published facts, none stated",
  homepage: "https://www.fastly.com/documentation/reference/api/utils/public-ip-list/",
  files: [{ url: "https://api.fastly.com/public-ip-list", maxBytes: 262_144 }],
  meanings: ["cdn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 5,
  maxRows: 1_000,
  parse: readRanges,
} as const satisfies Feed;

function readRanges(content: FeedContent, sink: FeedSink): FeedFacts {
  const { addresses, ipv6_addresses } = parseFields(FastlyRangesSchema, content.json());
  for (const prefix of [...addresses, ...ipv6_addresses]) {
    sink.prefix(prefix, { meaning: "cdn", label: "Fastly" });
  }
  return {};
}
