import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/**
 * DuckAssistBot, which fetches pages while it answers a question of a user. A mirror of this file repeats that of
 * DuckDuckBot, so an address in both is the crawler
 * (https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot).
 */
export const duckassistbot = {
  id: "duckassistbot",
  name: "DuckAssistBot",
  family: "duckduckgo",
  licence: "published facts, none stated",
  homepage: "https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot",
  files: [{ url: "https://duckduckgo.com/duckassistbot.json", maxBytes: 1_048_576, redirects: 2 }],
  meanings: ["user_fetcher"],
  yieldsTo: ["duckduckbot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 20,
  maxRows: 5_000,
  parse: (content, sink) =>
    readCrawlerRanges(content, sink, { meaning: "user_fetcher", label: "DuckAssistBot" }),
} as const satisfies Feed;
