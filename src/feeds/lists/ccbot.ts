import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/** CCBot of Common Crawl (https://commoncrawl.org/ccbot). */
export const ccbot = {
  id: "ccbot",
  name: "CCBot",
  family: "common_crawl",
  licence: "published facts, none stated",
  homepage: "https://commoncrawl.org/ccbot",
  files: [{ url: "https://index.commoncrawl.org/ccbot.json", maxBytes: 1_048_576, redirects: 2 }],
  meanings: ["ai_bot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 1,
  maxRows: 500,
  maxShrink: 0.1,
  maxGrow: 20,
  parse: (content, sink) => readCrawlerRanges(content, sink, { meaning: "ai_bot", label: "CCBot" }),
} as const satisfies Feed;
