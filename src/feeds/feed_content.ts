import { FeedError } from "./feed_error.ts";

/** Longest line of a list. */
const MAX_LINE = 65_536;

/** One downloaded file as a feed reads it; bytes become text, lines or JSON only when asked for. */
export class FeedContent {
  readonly url: string;
  /** Position in the feed's `files`. */
  readonly index: number;
  readonly bytes: Uint8Array;
  /** When it is read, in milliseconds since the epoch: for lists whose rows grow old. */
  readonly now: number | undefined;

  constructor(file: {
    readonly url: string;
    readonly index: number;
    readonly bytes: Uint8Array;
    readonly now?: number;
  }) {
    this.url = file.url;
    this.index = file.index;
    this.bytes = file.bytes;
    this.now = file.now;
  }

  /** The whole as UTF-8, without a byte order mark. @throws {FeedError} when it is not. */
  text(): string {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(this.bytes);
    } catch {
      throw new FeedError("it is not valid UTF-8");
    }
  }

  /** Line by line, trimmed; empty lines are passed over. @throws {FeedError} when a line is too long. */
  *lines(): Generator<string> {
    const text = this.text();
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      if (end - at > MAX_LINE) throw new FeedError("a line is too long");
      const line = text.slice(at, end).trim();
      at = end + 1;
      if (line !== "") yield line;
    }
  }

  /** The whole as JSON. @throws {FeedError} when it is not. */
  json(): unknown {
    const text = this.text();
    try {
      return JSON.parse(text);
    } catch {
      throw new FeedError("it is not JSON");
    }
  }
}
