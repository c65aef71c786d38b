import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/**
 * ChatGPT-User, which fetches a page because a user asked for it; downloads of the publisher's file failed for several days
 * (https://platform.openai.com/docs/bots).
 */
export const chatgptUser = {
  id: "chatgpt_user",
  name: "ChatGPT-User",
  family: "openai",
  licence: "published facts, none stated",
  homepage: "https://platform.openai.com/docs/bots",
  files: [{ url: "https://openai.com/chatgpt-user.json", maxBytes: 1_048_576, redirects: 2 }],
  meanings: ["user_fetcher"],
  yieldsTo: ["gptbot", "oai_searchbot"],
  authority: true,
  cadenceMs: 86_400_000,
  expiresMs: 2_592_000_000,
  minRows: 20,
  maxRows: 10_000,
  maxShrink: 0.2,
  maxGrow: 6,
  parse: (content, sink) =>
    readCrawlerRanges(content, sink, { meaning: "user_fetcher", label: "ChatGPT-User" }),
} as const satisfies Feed;
