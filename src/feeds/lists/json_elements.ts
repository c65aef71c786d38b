import { type FeedContent, FeedError } from "../feed_content.ts";

/** Longest element that is read. */
const MAX_ELEMENT_BYTES = 65_536;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Reads the objects of a file that is one JSON array, one after the other: a large file is never a tree in memory as a
 * whole.
 * @throws {FeedError} when the file is not an array of objects, is cut short, or an element is too long.
 */
export function* readJsonElements({ bytes }: FeedContent): Generator<unknown> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let depth = 0;
  let start = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (OPENING.has(byte)) {
      if (depth === 0 && byte !== 0x5b) throw new FeedError("it is not a JSON array");
      if (depth === 1) start = at;
      depth++;
    } else if (CLOSING.has(byte)) {
      depth--;
      if (depth !== 1) continue;
      if (at - start > MAX_ELEMENT_BYTES) throw new FeedError("an element is too long");
      yield parseElement(decoder, bytes.subarray(start, at + 1));
    }
  }
  if (depth !== 0 || isText) throw new FeedError("it is cut short");
}

function parseElement(decoder: TextDecoder, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new FeedError("an element is not JSON");
  }
}
