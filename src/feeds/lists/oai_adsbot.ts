import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/** OAI-AdsBot, OpenAI's crawler of advertised pages (https://platform.openai.com/docs/bots). */
export const oaiAdsbot = {
  id: "oai_adsbot",
  name: "OAI-AdsBot",
  family: "openai",
  licence: "published facts, none stated",
  homepage: "https://platform.openai.com/docs/bots",
  files: [{ url: "https://openai.com/adsbot.json", maxBytes: 1_048_576, redirects: 2 }],
  meanings: ["ai_bot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 1,
  maxRows: 200,
  maxShrink: 0.1,
  maxGrow: 20,
  parse: (content, sink) => readCrawlerRanges(content, sink, { meaning: "ai_bot", label: "OAI-AdsBot" }),
} as const satisfies Feed;
