import { gunzipSync } from "node:zlib";
import type { FeedFile } from "./feed.ts";
import { FeedContent } from "./feed_content.ts";
import { FeedError } from "./feed_error.ts";

/**
 * The content of a downloaded file as its feed reads it; `nowMs` is the moment for which it is read.
 * @throws {FeedError} when it is empty, a web page, or does not unpack.
 */
export function openFeedContent(
  feed: { readonly files: readonly FeedFile[] },
  file: { readonly index: number; readonly url: string; readonly bytes: Uint8Array },
  nowMs: number,
): FeedContent {
  if (file.bytes.length === 0) throw new FeedError("it is empty");
  const unpackedBytes = feed.files[file.index]?.unpackedBytes;
  const bytes = unpackedBytes === undefined ? file.bytes : unpack(file.bytes, unpackedBytes);
  if (isPage(bytes)) throw new FeedError("it is a web page");
  return new FeedContent({ url: file.url, index: file.index, bytes, now: nowMs });
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
