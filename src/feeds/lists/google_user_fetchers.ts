import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

const HOME = "https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests";
const RANGES = "https://developers.google.com/static/crawling/ipranges/";

/**
 * Google's fetchers that act because a user asked. The first file has Google's own egress. The second one
 * has App Engine (`*.gae.googleusercontent.com`), where customers run their own code: rentable servers, not a crawler.
 */
export const googleUserFetchers = {
  id: "google_user_fetchers",
  name: "Google user-triggered fetchers",
  family: "google",
  licence: "published facts, none stated",
  homepage: HOME,
  files: [
    { url: `${RANGES}user-triggered-fetchers-google.json`, maxBytes: 1_048_576, redirects: 2 },
    { url: `${RANGES}user-triggered-fetchers.json`, maxBytes: 2_097_152, redirects: 2 },
  ],
  meanings: ["user_fetcher", "hosting"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 200,
  maxRows: 20_000,
  parse: (content, sink) =>
    readCrawlerRanges(
      content,
      sink,
      content.index === 0
        ? { meaning: "user_fetcher", label: "Google user-triggered fetchers" }
        : { meaning: "hosting", label: "Google App Engine" },
    ),
} as const satisfies Feed;
