import { zstdDecompressSync } from "node:zlib";
import { readZstdHead, ZSTD_MAGIC } from "./read_zstd_head.ts";

/** Far above any document of ours. */
const MAX_BYTES = 8_000_000;

/** RFC 8878, 3.1.1: magic number, descriptor, size of the content in four bytes. */
const HEAD_BYTES = 9;
const SINGLE_SEGMENT_WITH_LONG_SIZE = 0b1010_0000;

/** RFC 8878, 3.1.1.2: the header of a block, and the most that one holds. */
const BLOCK_HEAD_BYTES = 3;
const MOST_BLOCK_BYTES = 131_071;

/** Larger documents than this are not put together in memory that is kept. */
const KEPT_BYTES = 65_536;

/**
 * Restores texts that were compressed with a dictionary. The runtime's way to do so makes a stream for each text, and
 * memory for streams; its quick way knows no dictionary. But past content is all that a dictionary is, so the quick
 * way is given the same blocks behind one that holds the dictionary as it is (RFC 8878, 3.1.1.2.2), and what comes
 * out of that block is left off.
 */
export function createUnpacker(dictionary: Uint8Array): (bytes: Uint8Array) => string {
  function unpackSlowly(bytes: Uint8Array): string {
    return zstdDecompressSync(bytes, { dictionary, maxOutputLength: MAX_BYTES }).toString();
  }

  if (dictionary.length > MOST_BLOCK_BYTES) return unpackSlowly;
  const before = HEAD_BYTES + BLOCK_HEAD_BYTES + dictionary.length;
  const frame = Buffer.alloc(before + KEPT_BYTES);
  frame.writeUInt32LE(ZSTD_MAGIC, 0);
  frame[4] = SINGLE_SEGMENT_WITH_LONG_SIZE;
  frame.writeUIntLE(dictionary.length << 3, HEAD_BYTES, BLOCK_HEAD_BYTES);
  frame.set(dictionary, HEAD_BYTES + BLOCK_HEAD_BYTES);
  return (bytes) => {
    const head = readZstdHead(bytes);
    if (head === undefined || head.contentBytes > MAX_BYTES || bytes.length > KEPT_BYTES)
      return unpackSlowly(bytes);
    frame.writeUInt32LE(dictionary.length + head.contentBytes, 5);
    frame.set(bytes.subarray(head.bytes), before);
    const content = Bun.zstdDecompressSync(frame.subarray(0, before + bytes.length - head.bytes));
    return content.toString("utf8", dictionary.length);
  };
}
