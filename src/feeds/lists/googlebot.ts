import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/** Googlebot and Google's other common crawlers (https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests). */
export const googlebot = {
  id: "googlebot",
  name: "Googlebot",
  family: "google",
  licence: "published facts, none stated",
  homepage: "https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests",
  files: [
    {
      url: "https://developers.google.com/static/crawling/ipranges/common-crawlers.json",
      maxBytes: 1_048_576,
      redirects: 2,
    },
  ],
  meanings: ["search_bot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 50,
  maxRows: 5_000,
  parse: (content, sink) => readCrawlerRanges(content, sink, { meaning: "search_bot", label: "Googlebot" }),
} as const satisfies Feed;
