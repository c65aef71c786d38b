import { HttpProblem } from "../http_problem.ts";
import { readBytes } from "../read_bytes.ts";
import { INVALID_REQUEST, PARSE_ERROR, RpcError } from "./rpc_error.ts";

/** The deepest right message (capabilities of a client) has about 8 levels. */
const MAX_DEPTH = 32;

/** Members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Reads the one message that a request carries. Batches are refused: no version since 2025-06-18 knows them, and one
 * request could ask for many surveys.
 * @throws {RpcError} 413 beyond 16 kB, 415 for another media type, 400 for what is no JSON, no object, nested deeper
 * than 32 levels or holds a `__proto__`.
 */
export async function readMessage(request: Request): Promise<Members> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json[ \t]*(?:;|$)/i.test(type)) {
    throw new RpcError(415, INVALID_REQUEST, "Cannot read message: Content-Type must be application/json");
  }
  const message = parse(await readBounded(request));
  if (Array.isArray(message)) {
    throw new RpcError(
      400,
      INVALID_REQUEST,
      "Cannot read message: batches are not supported, send one message",
    );
  }
  if (!isObject(message))
    throw new RpcError(400, INVALID_REQUEST, "Cannot read message: it is no JSON object");
  if (!isTame(message, MAX_DEPTH)) {
    throw new RpcError(
      400,
      INVALID_REQUEST,
      "Cannot read message: it is nested too deeply or names __proto__",
    );
  }
  return message;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function readBounded(request: Request): Promise<Uint8Array> {
  try {
    return await readBytes(request);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    throw new RpcError(413, INVALID_REQUEST, "Cannot read message: it is longer than 16 kB");
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new RpcError(400, PARSE_ERROR, "Cannot read message: it is no JSON in UTF-8");
  }
}

/** Bounded itself: it never goes deeper than the levels left. */
function isTame(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0 || Object.hasOwn(value, "__proto__")) return false;
  return Object.values(value).every((inner) => isTame(inner, levels - 1));
}
