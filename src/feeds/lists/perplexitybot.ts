import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/** PerplexityBot (https://docs.perplexity.ai/guides/bots). */
export const perplexitybot = {
  id: "perplexitybot",
  name: "PerplexityBot",
  family: "perplexity",
  licence: "published facts, none stated",
  homepage: "https://docs.perplexity.ai/guides/bots",
  files: [{ url: "https://www.perplexity.ai/perplexitybot.json", maxBytes: 1_048_576, redirects: 2 }],
  hosts: ["www.perplexity.com"],
  meanings: ["ai_bot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 1,
  maxRows: 500,
  maxShrink: 0.1,
  maxGrow: 20,
  parse: (content, sink) => readCrawlerRanges(content, sink, { meaning: "ai_bot", label: "PerplexityBot" }),
} as const satisfies Feed;
