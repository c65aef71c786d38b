import { gunzipSync } from "node:zlib";
import type { RefusalReason } from "#datasets";

/** The reason why a download is refused. The message is short and contains no secret. */
export class FeedError extends Error {
  readonly reason: RefusalReason | undefined;
  /** Position of the file that is refused, when the others are not. */
  readonly file: number | undefined;

  constructor(
    message: string,
    options?: ErrorOptions & {
      readonly reason?: RefusalReason | undefined;
      readonly file?: number | undefined;
    },
  ) {
    super(message, options);
    this.name = "FeedError";
    this.reason = options?.reason;
    this.file = options?.file;
  }
}

/** Malformed rows that are accepted: this many, or this share of all rows. */
const MALFORMED_ROWS = 3;
const MALFORMED_SHARE = 0.01;

/** @throws {FeedError} when too many rows are malformed, beside `others`. */
export function checkMalformed(malformed: number, others: number): void {
  if (malformed > Math.max(MALFORMED_ROWS, MALFORMED_SHARE * others))
    throw new FeedError(`${malformed} of its rows are malformed`);
}

const MAX_LINE = 65_536;

/** A file of a download. */
export interface DownloadedFile {
  /** Position in the feed's `files`. */
  readonly index: number;
  readonly url: string;
  readonly bytes: Uint8Array;
}

/** One downloaded file as a feed reads it: as bytes, text, lines or JSON. */
export class FeedContent implements DownloadedFile {
  readonly url: string;
  readonly index: number;
  readonly bytes: Uint8Array;
  /** The current time in milliseconds since the epoch, for lists whose rows expire. */
  readonly now: number | undefined;

  constructor(file: DownloadedFile & { readonly now?: number }) {
    this.url = file.url;
    this.index = file.index;
    this.bytes = file.bytes;
    this.now = file.now;
  }

  /** The whole file as text, without a byte order mark. @throws {FeedError} when it is not UTF-8. */
  text(): string {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(this.bytes);
    } catch {
      throw new FeedError("it is not valid UTF-8");
    }
  }

  /** The lines, trimmed; skips empty ones. @throws {FeedError} when a line is too long. */
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

  /** The whole file as JSON. @throws {FeedError} when it is not JSON. */
  json(): unknown {
    return parseJson(this.text(), "it is not JSON");
  }
}

/** Parses JSON. @throws {FeedError} with `problem` when it is not JSON. */
export function parseJson(text: string, problem: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FeedError(problem);
  }
}

/**
 * Opens a downloaded file for the reader of its feed; `nowMs` is the time for which it is read.
 * @throws {FeedError} when it is empty, a web page, or cannot be unpacked.
 */
export function openFeedContent(
  feed: { readonly files: readonly { readonly unpackedBytes?: number }[] },
  file: DownloadedFile,
  nowMs: number,
): FeedContent {
  if (file.bytes.length === 0) throw new FeedError("it is empty");
  const unpackedBytes = feed.files[file.index]?.unpackedBytes;
  const bytes = unpackedBytes === undefined ? file.bytes : unpack(file.bytes, unpackedBytes);
  if (isPage(bytes)) throw new FeedError("it is a web page");
  return new FeedContent({ ...file, bytes, now: nowMs });
}

function unpack(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength });
  } catch (error) {
    const isLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw new FeedError(isLarge ? `it unpacks to more than ${maxOutputLength} bytes` : "it is damaged gzip");
  }
}

function isPage(bytes: Uint8Array): boolean {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 512));
  return /^(?:\xef\xbb\xbf)?\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(head);
}
