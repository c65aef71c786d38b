import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/** Google's crawlers for one product each, such as AdsBot (https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests). */
export const googleSpecialCrawlers = {
  id: "google_special_crawlers",
  name: "Google special crawlers",
  family: "google",
  licence: "published facts, none stated",
  homepage: "https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests",
  files: [
    {
      url: "https://developers.google.com/static/crawling/ipranges/special-crawlers.json",
      maxBytes: 1_048_576,
      redirects: 2,
    },
  ],
  meanings: ["search_bot"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 50,
  maxRows: 5_000,
  parse: (content, sink) =>
    readCrawlerRanges(content, sink, { meaning: "search_bot", label: "Google special crawlers" }),
} as const satisfies Feed;
