import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/** ClaudeBot, Claude-User and Claude-SearchBot, which share one list (https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler). */
export const claudeBots = {
  id: "claude_bots",
  name: "Claude bots",
  family: "anthropic",
  licence: "published facts, none stated",
  homepage:
    "https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler",
  files: [{ url: "https://claude.com/crawling/bots.json", maxBytes: 1_048_576, redirects: 2 }],
  meanings: ["ai_bot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 3,
  maxRows: 1_000,
  maxShrink: 0.2,
  maxGrow: 6,
  parse: (content, sink) => readCrawlerRanges(content, sink, { meaning: "ai_bot", label: "Claude" }),
} as const satisfies Feed;
