import { UpstreamError } from "./upstream_error.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Parses UTF-8 JSON whose arrays and objects are nested at most `maxDepth` deep. The depth is judged on the bytes
 * before the parser sees them. A `__proto__` key becomes an ordinary own property, as ECMA-262 JSON.parse says.
 * @throws {UpstreamError} kind `shape`
 */
export function parseJson(bytes: Uint8Array, maxDepth: number): unknown {
  if (isDeeper(bytes, maxDepth)) throw new UpstreamError("shape", `JSON deeper than ${maxDepth} levels`);
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new UpstreamError("shape", "not JSON");
  }
}

/**
 * Reads bytes as UTF-8, without a byte order mark.
 * @throws {UpstreamError} kind `shape` when they are not valid
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UpstreamError("shape", "not valid UTF-8");
  }
}

/** Brackets outside strings are ASCII and cannot be part of a longer UTF-8 sequence, so bytes are enough. */
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
