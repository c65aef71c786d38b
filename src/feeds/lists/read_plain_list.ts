import type { RangeWord } from "#datasets";
import type { FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { FeedError } from "../feed_error.ts";

/**
 * Reads a list of one address or prefix a line; whatever follows the first blank, `#` or `;` is a remark.
 * @throws {FeedError} when the first row holds what no address does: a message where the list should be.
 */
export function readPlainList(content: FeedContent, sink: FeedSink, word: RangeWord): FeedFacts {
  let isFirst = true;
  for (const line of content.lines()) {
    const end = line.search(/[\s#;]/);
    const text = end < 0 ? line : line.slice(0, end);
    if (text === "") continue;
    if (isFirst && !/^[0-9a-f:./]+$/i.test(text)) throw new FeedError("the first of its rows is no address");
    isFirst = false;
    sink.prefix(text, word);
  }
  return {};
}
