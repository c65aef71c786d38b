import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/** DuckDuckBot (https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot). */
export const duckduckbot = {
  id: "duckduckbot",
  name: "DuckDuckBot",
  family: "duckduckgo",
  licence: "published facts, none stated",
  homepage: "https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot",
  files: [{ url: "https://duckduckgo.com/duckduckbot.json", maxBytes: 1_048_576, redirects: 2 }],
  meanings: ["search_bot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 20,
  maxRows: 5_000,
  parse: (content, sink) => readCrawlerRanges(content, sink, { meaning: "search_bot", label: "DuckDuckBot" }),
} as const satisfies Feed;
