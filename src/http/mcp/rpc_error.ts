/** Codes of JSON-RPC 2.0, section 5.1. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

/** Codes of the Model Context Protocol, 2026-07-28, basic: error codes. */
export const HEADER_MISMATCH = -32_020;
export const UNSUPPORTED_VERSION = -32_022;

/**
 * A message that is answered with a JSON-RPC error, and the HTTP status that carries it. `code` and `message` are
 * what the SDK reads off an error that a handler throws.
 */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly data?: Readonly<Record<string, unknown>>;

  constructor(status: number, code: number, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = "RpcError";
    this.status = status;
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}
