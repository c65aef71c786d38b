/**
 * Why an upstream could not be heard: `timeout`, `refused` (connection, DNS REFUSED or a forbidden target),
 * `status` (an HTTP status or DNS code that carries no answer), `shape` (an answer of the wrong form),
 * `quota` (it declines to answer more), `unavailable` (it says it cannot answer), `too_large`.
 */
export type UpstreamErrorKind =
  | "timeout"
  | "refused"
  | "status"
  | "shape"
  | "quota"
  | "unavailable"
  | "too_large";

/** The one error of the world outside. `detail` is a short, safe fact for the report (never a body, key or URL). */
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
