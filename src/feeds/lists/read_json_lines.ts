import type { FeedContent } from "../feed_content.ts";
import { FeedError } from "../feed_error.ts";

/** Reads one JSON value a line. @throws {FeedError} when a line is none. */
export function* readJsonLines(content: FeedContent): Generator<unknown> {
  for (const line of content.lines()) {
    try {
      yield JSON.parse(line);
    } catch {
      throw new FeedError("a line is not JSON");
    }
  }
}
