import type { Feed, FeedFacts } from "../../../src/feeds/feed.ts";
import { FeedContent } from "../../../src/feeds/feed_content.ts";

/** The rows of a feed as text, before parsing, cleaning and limits. */
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
  const note = (subject: string, word: object) => rows.push(`${subject} ${JSON.stringify(word)}`);
  let facts: FeedFacts = {};
  for (const { index, bytes } of files) {
    const url = feed.files[index]?.url ?? "";
    const said = feed.parse(new FeedContent({ url, index, bytes }), {
      prefix: (text, word) => note(text.trim(), word),
      range: (first, last, word) => note(`${first}-${last}`, word),
      network: (asn, word) => note(`AS${String(asn).replace(/^AS/i, "")}`, word),
    });
    facts = { ...facts, ...said };
  }
  return { ...facts, rows };
}
