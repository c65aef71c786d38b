import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import { type HttpRequest, raceAbort, UpstreamError } from "./upstream.ts";

const DEFAULT_MAX_BYTES = 1_048_576;
const DEFAULT_MAX_DEPTH = 64;
const DEFAULT_TYPES = { json: ["application/json", "application/rdap+json"], text: ["text/"] } as const;
/** A web page in place of a file is an error message, a login or a paywall. */
const WEB_PAGE = /^(?:text\/html|application\/xhtml)/;

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const DECODERS = new Map<string, Decoder>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["br", promisify(brotliDecompress)],
]);

/** Content codings that we accept: those that every server knows, and whose damage the decoder reports. */
export const ACCEPT_ENCODING = "gzip, br";

/**
 * Reads the body of a response in the format that the request asks for, bounded in bytes and depth. Gives undefined for
 * an empty JSON body with a status other than 200, because such a status may need no body.
 * @throws {UpstreamError} kind `too_large`, `shape`, or `timeout` when the signal fires
 */
export async function readBody(
  request: HttpRequest,
  response: Response,
  signal: AbortSignal,
): Promise<unknown> {
  const maxBytes = request.maxBytes ?? DEFAULT_MAX_BYTES;
  const encoded = await readBytes(response, maxBytes, signal);
  if (encoded.length > 0 || response.status === 200) checkContentType(request, response);
  const bytes = await decodeContent(encoded, response.headers.get("content-encoding"), maxBytes);
  if (request.as === "bytes") return bytes;
  if (request.as === "text") return decodeUtf8(bytes);
  if (bytes.length === 0 && response.status !== 200) return undefined;
  return parseJson(bytes, request.maxDepth ?? DEFAULT_MAX_DEPTH);
}

function checkContentType(request: HttpRequest, response: Response): void {
  const type = response.headers.get("content-type")?.trim().toLowerCase() ?? "";
  if (request.as === "bytes" && request.contentTypes === undefined && !WEB_PAGE.test(type)) return;
  const accepted = request.contentTypes ?? (request.as === "bytes" ? [] : DEFAULT_TYPES[request.as]);
  if (accepted.some((prefix) => type.startsWith(prefix.toLowerCase()))) return;
  const name = /^[a-z]{1,20}\/[a-z0-9.+-]{1,30}(?=;|\s|$)/.exec(type)?.[0];
  throw new UpstreamError("shape", name === undefined ? "no usable content type" : `content type ${name}`);
}

/** Reads the bytes as they were sent, still encoded. The stream is cancelled as soon as it is too long. */
async function readBytes(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const length = response.headers.get("content-length");
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (isExactLength(length, response.headers)) return readWhole(response, maxBytes, signal);
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let received = 0;
  try {
    for (;;) {
      const { done, value } = await raceAbort(reader.read(), signal);
      if (done)
        return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, received);
      received += value.byteLength;
      if (received > maxBytes) throw tooLarge(maxBytes);
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError("shape", "answer cut short");
  }
}

/** Whether Content-Length is the length of the body. Chunked framing overrides it (RFC 9112 section 6.3). */
function isExactLength(length: string | null, headers: Headers): length is string {
  return length !== null && /^\d{1,12}$/.test(length) && !headers.has("transfer-encoding");
}

/** Reads a body of known, allowed length at once, because reading it in pieces takes longer than parsing it. */
async function readWhole(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const bytes = await raceAbort(response.bytes(), signal);
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError("shape", "answer cut short");
  }
}

function tooLarge(maxBytes: number): UpstreamError {
  return new UpstreamError("too_large", `more than ${maxBytes} bytes`);
}

/**
 * Decodes a Content-Encoding and never holds more than `maxBytes` of output. The decoding in Bun's `fetch` is not used,
 * because it inflates everything that has arrived before the reader sees a byte.
 * @throws {UpstreamError} `too_large` past the limit, `shape` for damaged data or an encoding we did not ask for
 */
async function decodeContent(
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
      throw tooLarge(maxBytes);
    }
    throw new UpstreamError("shape", "damaged content encoding");
  }
}

/**
 * Parses UTF-8 JSON with arrays and objects nested at most `maxDepth` deep. The depth is checked on the bytes, before
 * the parser sees them. A `__proto__` key becomes an ordinary own property, as ECMA-262 specifies for JSON.parse.
 * @throws {UpstreamError} kind `shape`
 */
function parseJson(bytes: Uint8Array, maxDepth: number): unknown {
  if (isDeeper(bytes, maxDepth)) throw new UpstreamError("shape", `JSON deeper than ${maxDepth} levels`);
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new UpstreamError("shape", "not JSON");
  }
}

/** Decodes UTF-8 and removes a byte order mark. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UpstreamError("shape", "not valid UTF-8");
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether JSON is nested deeper. Works on bytes: brackets are ASCII and cannot be part of a longer UTF-8 sequence.
 * Brackets in strings do not count.
 */
function isDeeper(bytes: Uint8Array, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth > maxDepth) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
        break;
    }
  }
  return false;
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
