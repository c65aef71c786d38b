import type { Feed, FeedFacts } from "../../../src/feeds/feed.ts";
import { FeedContent } from "../../../src/feeds/feed_content.ts";

/** The rows of a feed as text, before they are parsed, stripped or bounded. */
export interface FeedRecord extends FeedFacts {
  readonly rows: readonly string[];
}

/**
 * Reads files of a feed and records every row.
 * @throws {FeedError} as the feed does.
 */
export function recordFeed(
  feed: Feed,
  files: readonly { readonly index: number; readonly bytes: Uint8Array }[],
): FeedRecord {
  const rows: string[] = [];
  const note = (subject: string, info: object) => rows.push(`${subject} ${JSON.stringify(info)}`);
  let facts: FeedFacts = {};
  for (const { index, bytes } of files) {
    const url = feed.files[index]?.url ?? "";
    const fileFacts = feed.parse(new FeedContent({ url, index, bytes }), {
      prefix: (text, info) => note(text.trim(), info),
      network: (asn, info) => note(`AS${String(asn).replace(/^AS/i, "")}`, info),
    });
    facts = { ...facts, ...fileFacts };
  }
  return { ...facts, rows };
}
