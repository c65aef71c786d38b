import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

const CrawlerAddressesSchema = v.object({ ips: v.array(v.object({ ip_address: v.string() })) });

/** AhrefsBot, single addresses (https://help.ahrefs.com/en/articles/78658-what-is-the-list-of-your-ip-ranges). */
export const ahrefsbot = {
  id: "ahrefsbot",
  name: "AhrefsBot",
  family: "ahrefs",
  licence: "published facts, none stated",
  homepage: "https://help.ahrefs.com/en/articles/78658-what-is-the-list-of-your-ip-ranges",
  files: [{ url: "https://api.ahrefs.com/v3/public/crawler-ips", maxBytes: 4_194_304 }],
  meanings: ["search_bot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 20,
  maxRows: 50_000,
  parse: readAddresses,
} as const satisfies Feed;

function readAddresses(content: FeedContent, sink: FeedSink): FeedFacts {
  const { ips } = parseFields(CrawlerAddressesSchema, content.json());
  for (const { ip_address } of ips) sink.prefix(ip_address, { meaning: "search_bot", label: "AhrefsBot" });
  return {};
}
