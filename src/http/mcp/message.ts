import { isJson, parseJson, readBytes } from "../plugins/own_pages.ts";
import { Reply } from "../reply.ts";

/** Codes of JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

/** Most levels of a message; the deepest valid one (capabilities of a client) has about 8. */
const MAX_DEPTH = 32;

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * A message that is answered with a JSON-RPC error, and the HTTP status of that answer. The SDK reads `code` and
 * `message` of an error that a handler throws.
 */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  /** The id of the message, if it could be read. */
  readonly id: unknown;

  constructor(status: number, code: number, message: string, id?: unknown) {
    super(message);
    this.name = "RpcError";
    this.status = status;
    this.code = code;
    this.id = id;
  }
}

/** The answer to a message that failed. An id that could not be read is left out. */
export function replyRpcError({ id, code, message }: RpcError): Reply<Members> {
  const shown = typeof id === "string" || Number.isSafeInteger(id) ? { id } : {};
  return replyJsonRpc(JSON.stringify({ jsonrpc: "2.0", ...shown, error: { code, message } }));
}

/** A JSON-RPC message as it is sent back. */
export function replyJsonRpc(text: string): Reply<Members> {
  return new Reply(
    { cacheControl: "no-store", shared: false },
    { contentType: "application/json; charset=utf-8", content: text },
  );
}

/**
 * Reads the message of a request. Batches are refused: no version since 2025-06-18 has them, and one request could
 * start many surveys.
 * @throws {RpcError} 403 for a page of another site, 413 beyond 16 kB, 415 for another media type, 400 for a body that
 * is not a JSON object, has more than 32 levels or names `__proto__`.
 */
export async function readMessage(request: Request, baseUrl: string): Promise<Members> {
  if (isForeignOrigin(request.headers.get("origin"), baseUrl))
    throw new RpcError(403, INVALID_REQUEST, "Cannot answer: requests from pages of other sites are refused");
  if (!isJson(request.headers.get("content-type") ?? ""))
    throw unreadable("Content-Type must be application/json", 415);
  const bytes = await readBytes(request);
  if (bytes === undefined) throw unreadable("it is longer than 16 kB", 413);
  const message = parseJson(bytes);
  if (message === undefined) throw unreadable("it is not JSON in UTF-8", 400, PARSE_ERROR);
  if (Array.isArray(message)) throw unreadable("batches are not supported, send one message");
  if (!isObject(message)) throw unreadable("it is not a JSON object");
  if (!isBounded(message, MAX_DEPTH)) throw unreadable("it is nested too deeply or names __proto__");
  return message;
}

function unreadable(why: string, status = 400, code = INVALID_REQUEST): RpcError {
  return new RpcError(status, code, `Cannot read message: ${why}`);
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value has at most `levels` levels and no member `__proto__`. */
function isBounded(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0 || Object.hasOwn(value, "__proto__")) return false;
  return Object.values(value).every((inner) => isBounded(inner, levels - 1));
}

/**
 * Whether a browser sent the request for a page of another site. This includes a host name that was rebound to this
 * server (MCP, transports: security). Programs send no Origin. A service on loopback accepts pages of its own machine.
 */
function isForeignOrigin(origin: string | null, baseUrl: string): boolean {
  if (origin === null) return false;
  const own = new URL(baseUrl);
  if (origin === own.origin) return false;
  const other = URL.parse(origin);
  return !(LOOPBACK.has(own.hostname) && other !== null && LOOPBACK.has(other.hostname));
}
