import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/** Applebot (https://support.apple.com/en-us/119829). */
export const applebot = {
  id: "applebot",
  name: "Applebot",
  family: "apple",
  licence: "published facts, none stated",
  homepage: "https://support.apple.com/en-us/119829",
  files: [{ url: "https://search.developer.apple.com/applebot.json", maxBytes: 1_048_576, redirects: 2 }],
  meanings: ["search_bot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 5,
  maxRows: 1_000,
  maxShrink: 0.2,
  maxGrow: 6,
  parse: (content, sink) => readCrawlerRanges(content, sink, { meaning: "search_bot", label: "Applebot" }),
} as const satisfies Feed;
