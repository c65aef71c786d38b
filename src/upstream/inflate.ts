import { promisify } from "node:util";
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib";
import { UpstreamError } from "./upstream_error.ts";

/** RFC 9659: a sender of `Content-Encoding: zstd` may not ask for more than 8 MB of window. */
const ZSTD_WINDOW_LOG = 23;

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const DECODERS = new Map<string, Decoder>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["br", promisify(brotliDecompress)],
  ["deflate", inflateEither],
  ["zstd", inflateZstd],
]);

/** What we ask for in Accept-Encoding. */
export const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

/**
 * Undoes a Content-Encoding without ever holding more than `maxBytes` of output.
 * Bun's own decoding in `fetch` inflates whatever has arrived before the reader sees a byte, so it is not used.
 * @throws {UpstreamError} `too_large` past the limit, `shape` for damaged data or an encoding we did not ask for
 */
export async function inflateWithin(
  bytes: Uint8Array,
  encoding: string | null,
  maxBytes: number,
): Promise<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity" || bytes.length === 0) return bytes;
  const decoder = DECODERS.get(name);
  if (decoder === undefined) throw new UpstreamError("shape", "unknown content encoding");
  try {
    return await decoder(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      throw new UpstreamError("too_large", `more than ${maxBytes} bytes`);
    }
    throw new UpstreamError("shape", "damaged content encoding");
  }
}

/** "deflate" is zlib (RFC 9110 §8.4.1.2), but some servers send the bare stream; a zlib header tells itself (RFC 1950 §2.2). */
async function inflateEither(bytes: Uint8Array, options: { maxOutputLength: number }): Promise<Uint8Array> {
  const [cmf = 0, flags = 0] = bytes;
  const isZlib = (cmf & 0x0f) === 8 && (cmf * 256 + flags) % 31 === 0;
  return isZlib ? promisify(inflate)(bytes, options) : promisify(inflateRaw)(bytes, options);
}

async function inflateZstd(bytes: Uint8Array, options: { maxOutputLength: number }): Promise<Uint8Array> {
  // The decoder returns what it has of a cut stream without a word, so wholeness is judged here.
  if (!isWholeZstd(bytes)) throw new Error("zstd frame is cut short");
  return promisify(zstdDecompress)(bytes, {
    ...options,
    params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
  });
}

/** Walks the blocks of the frames of RFC 8878 §3.1 and says whether the last one ends with the bytes. */
function isWholeZstd(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at < bytes.length) {
    if (at + 8 > bytes.length) return false;
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === 0x184d2a5) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== 0xfd2fb528) return false;
    const descriptor = view.getUint8(at + 4);
    at = endOfZstdFrame(view, at + 5 + zstdHeaderBytes(descriptor), (descriptor & 0x04) === 0 ? 0 : 4);
  }
  return at === bytes.length;
}

function zstdHeaderBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const contentSize = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeFlag;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  return (isSingleSegment ? 0 : 1) + dictionary + contentSize;
}

/** The offset after the frame; past the end of the data when the frame is cut. */
function endOfZstdFrame(view: DataView, blocks: number, checksumBytes: number): number {
  let at = blocks;
  while (at + 3 <= view.byteLength) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const isRunLength = ((header >> 1) & 3) === 1;
    at += 3 + (isRunLength ? 1 : header >> 3);
    if ((header & 1) === 1) return at + checksumBytes;
  }
  return Number.POSITIVE_INFINITY;
}
