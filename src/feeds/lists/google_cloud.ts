import type { Feed } from "../feed.ts";
import { readCrawlerRanges } from "./readers.ts";

/**
 * Google Cloud's ranges for customers. The list of all of Google (goog.json) is not used: the AS gives the same
 * information, and the list contains the public resolvers (https://support.google.com/a/answer/10026322).
 */
export const googleCloud = {
  id: "google_cloud",
  name: "Google Cloud",
  family: "google",
  licence: "published facts, none stated",
  homepage: "https://support.google.com/a/answer/10026322",
  files: [{ url: "https://www.gstatic.com/ipranges/cloud.json", maxBytes: 4_194_304 }],
  meanings: ["hosting"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 200,
  maxRows: 20_000,
  parse: (content, sink) => readCrawlerRanges(content, sink, { meaning: "hosting", label: "Google Cloud" }),
} as const satisfies Feed;
