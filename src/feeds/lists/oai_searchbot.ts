import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/** OAI-SearchBot, OpenAI's crawler for search (https://platform.openai.com/docs/bots). */
export const oaiSearchbot = {
  id: "oai_searchbot",
  name: "OAI-SearchBot",
  family: "openai",
  licence: "published facts, none stated",
  homepage: "https://platform.openai.com/docs/bots",
  files: [{ url: "https://openai.com/searchbot.json", maxBytes: 1_048_576, redirects: 2 }],
  meanings: ["ai_bot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 3,
  maxRows: 1_000,
  maxShrink: 0.2,
  maxGrow: 6,
  parse: (content, sink) => readCrawlerRanges(content, sink, { meaning: "ai_bot", label: "OAI-SearchBot" }),
} as const satisfies Feed;
