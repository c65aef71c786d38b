import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/** Perplexity-User, which fetches a page because a user asked for it (https://docs.perplexity.ai/guides/bots). */
export const perplexityUser = {
  id: "perplexity_user",
  name: "Perplexity-User",
  family: "perplexity",
  licence: "published facts, none stated",
  homepage: "https://docs.perplexity.ai/guides/bots",
  files: [{ url: "https://www.perplexity.ai/perplexity-user.json", maxBytes: 1_048_576, redirects: 2 }],
  hosts: ["www.perplexity.com"],
  meanings: ["user_fetcher"],
  yieldsTo: ["perplexitybot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 1,
  maxRows: 500,
  maxShrink: 0.1,
  maxGrow: 20,
  parse: (content, sink) =>
    readCrawlerRanges(content, sink, { meaning: "user_fetcher", label: "Perplexity-User" }),
} as const satisfies Feed;
