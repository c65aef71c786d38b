/** What a window says about one client. All times are from the `now` of the question. */
export interface RateState {
  /** Whether this take was admitted; for a peek, whether a take would be. */
  readonly admitted: boolean;
  /** How many takes would still be admitted at once. */
  readonly remaining: number;
  /** Milliseconds until the next take would be admitted; 0 = at once. */
  readonly retryAfterMs: number;
  /** Milliseconds until the client has more left than now, the `t` of the RateLimit header; 0 = nothing is spent. */
  readonly resetMs: number;
}

/**
 * A sliding window over many clients: no span of its length ever holds more than its limit of admissions of one key.
 * `now` is milliseconds of any one clock; it may come late by up to one window, and a clock that is set back
 * further goes on from the latest moment seen.
 */
export interface RateWindow {
  /** Admissions of one key in any span of `windowMs`. */
  readonly limit: number;
  readonly windowMs: number;
  /** Admits or refuses; a refused take spends nothing. @throws RangeError when `now` is not a finite number. */
  take(key: string, now: number): RateState;
  /** What a take would be told; spends nothing. @throws RangeError when `now` is not a finite number. */
  peek(key: string, now: number): RateState;
  /** Undoes the take that was admitted at `takenAt`, if it still counts, for a request that was refused after all. */
  refund(key: string, takenAt: number): void;
  /** Keys remembered now. */
  readonly size: number;
  /** Bytes held by the tables. */
  readonly bytes: number;
}
