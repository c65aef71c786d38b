import { raceAbort as raceWithReason } from "#concurrency";

/** An HTTP request. `url` is https and its host must be on the allow-list. */
export interface HttpRequest {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How the body is read: as JSON (bounded in bytes and depth), as UTF-8 text, or as bytes without content coding. */
  readonly as: "json" | "text" | "bytes";
  /** Statuses besides 200 whose body is an answer: some sources send 404 for "no data". */
  readonly statuses?: readonly number[];
  /**
   * Accepted content types, by prefix. Default: `application/json` and `application/rdap+json` for json, `text/` for
   * text, anything but a web page for bytes.
   */
  readonly contentTypes?: readonly string[];
  /** Default 1 MiB. */
  readonly maxBytes?: number;
  /** Most levels of nested arrays and objects; default 64. */
  readonly maxDepth?: number;
  /** How many redirects are followed, to https hosts on the allow-list only; default 0. */
  readonly redirects?: number;
  /** How long a 200 answer is kept in memory and shared between surveys. For a plain GET only. */
  readonly cacheMs?: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** `unknown` for json, a string for text, a `Uint8Array` for bytes. */
  readonly body: unknown;
  /** The URL of the answer, after redirects. */
  readonly url: string;
  /** How long the server asks us to wait before the next request, with any status. */
  readonly retryAfterMs?: number;
}

/** A DNS answer; `found: false` is NXDOMAIN or NODATA. Every other failure is thrown. */
export type DnsAnswer<Record> =
  | { readonly found: true; readonly records: readonly Record[] }
  | { readonly found: false };

/** A source that waits for a free slot of a survey. It uses one waiter for all its requests in that survey. */
export interface Waiter {
  /**
   * Rank of its next request among the waiting requests: the lowest rank starts first; equal ranks start in order of
   * arrival.
   */
  readonly rank: 0 | 1 | 2 | 3 | 4;
  /** Called when one of its requests has to wait for a slot. */
  onWait(): void;
  /** Called when one of its requests has got a slot. */
  onStart(): void;
}

/**
 * The requests that a source may send during one survey. Every method throws {@link UpstreamError}. Without a waiter
 * the rank is 1.
 */
export interface Upstream {
  http(request: HttpRequest, signal: AbortSignal, waiter?: Waiter): Promise<HttpAnswer>;
  a(name: string, signal: AbortSignal, waiter?: Waiter): Promise<DnsAnswer<string>>;
  aaaa(name: string, signal: AbortSignal, waiter?: Waiter): Promise<DnsAnswer<string>>;
  /** One string for each record: its character-strings are joined. */
  txt(name: string, signal: AbortSignal, waiter?: Waiter): Promise<DnsAnswer<string>>;
  ptr(name: string, signal: AbortSignal, waiter?: Waiter): Promise<DnsAnswer<string>>;
}

/**
 * Why there is no answer: `timeout`, `refused` (connection, DNS REFUSED or a forbidden target), `status` (an HTTP
 * status or DNS code without an answer), `shape` (a wrong format), `quota` (it refuses more requests), `unavailable`
 * (it says that it cannot answer), `too_large`.
 */
export type UpstreamErrorKind =
  | "timeout"
  | "refused"
  | "status"
  | "shape"
  | "quota"
  | "unavailable"
  | "too_large";

/** The error of every failed request. `detail` is a short, safe text for the report: never a body, a key or a URL. */
export class UpstreamError extends Error {
  readonly kind: UpstreamErrorKind;
  readonly detail: string;
  /** How long the upstream asked us to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: UpstreamErrorKind, detail: string, options?: { retryAfterMs?: number; cause?: unknown }) {
    super(`${kind}: ${detail}`, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = "UpstreamError";
    this.kind = kind;
    this.detail = detail;
    this.retryAfterMs = options?.retryAfterMs;
  }
}

const CANCELLED = "cancelled";
const NO_SLOT = "no free slot in time";

/**
 * The error of a request whose signal fired. A `TimeoutError`, as `AbortSignal.timeout` gives, means that the upstream
 * was too slow; any other reason means that no caller waits for the answer any more.
 */
function abortError(signal: AbortSignal): UpstreamError {
  return new UpstreamError("timeout", isDeadline(signal) ? "no answer in time" : CANCELLED);
}

/** The error of a request whose signal fired before it got a slot: it was never sent. */
export function waitError(signal: AbortSignal): UpstreamError {
  return new UpstreamError("timeout", isDeadline(signal) ? NO_SLOT : CANCELLED);
}

/**
 * Whether this process caused the failure. Such a failure says nothing about the upstream, so a breaker must
 * not count it.
 */
export function isOurs(error: UpstreamError): boolean {
  return error.kind === "timeout" && (error.detail === CANCELLED || error.detail === NO_SLOT);
}

/**
 * Waits for `work`, at most until the signal fires. A later result is dropped.
 * @throws {UpstreamError} kind `timeout` when the signal fires first
 */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await raceWithReason(work, signal);
  } catch (error) {
    throw signal.aborted && error === signal.reason ? abortError(signal) : error;
  }
}

/** Whether a signal fired because a time limit was reached. */
export function isDeadline(signal: AbortSignal): boolean {
  return signal.reason instanceof Error && signal.reason.name === "TimeoutError";
}
