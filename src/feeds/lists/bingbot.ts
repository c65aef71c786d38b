import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/**
 * Bingbot; some prefixes of the file had a hidden U+200B, which is ignored
 * (https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26).
 */
export const bingbot = {
  id: "bingbot",
  name: "Bingbot",
  family: "microsoft",
  licence: "published facts, none stated",
  homepage: "https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26",
  files: [{ url: "https://www.bing.com/toolbox/bingbot.json", maxBytes: 1_048_576, redirects: 2 }],
  meanings: ["search_bot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 5,
  maxRows: 1_000,
  maxShrink: 0.2,
  maxGrow: 6,
  parse: (content, sink) => readCrawlerRanges(content, sink, { meaning: "search_bot", label: "Bingbot" }),
} as const satisfies Feed;
