import { LRUCache } from "lru-cache";

/** The state of one client's window. All times are relative to the `now` of the call. */
export interface RateState {
  /** Whether this take was admitted; for a peek, whether a take would be admitted. */
  readonly admitted: boolean;
  /** How many more takes would be admitted now. */
  readonly remaining: number;
  /** Milliseconds until the next take would be admitted; 0 = now. */
  readonly retryAfterMs: number;
  /** Milliseconds until `remaining` grows, the `t` of the RateLimit header; 0 = nothing is used. */
  readonly resetMs: number;
}

/**
 * A sliding window per client: no span of `windowMs` contains more than `limit` admissions of one client. `now` is in
 * milliseconds of one clock. `now` may be up to one window before the latest time; after a larger step back, the
 * window continues from the latest time.
 */
export interface RateWindow {
  readonly limit: number;
  readonly windowMs: number;
  /** Admits or refuses; a refused take uses nothing. @throws RangeError when `now` is not a finite number. */
  take(key: string, now: number): RateState;
  /** What a take would return; uses nothing. @throws RangeError when `now` is not a finite number. */
  peek(key: string, now: number): RateState;
  /**
   * Removes the admission made at `takenAt`, if it is still in the window: its request was refused for another
   * reason.
   */
  refund(key: string, takenAt: number): void;
  /** Number of clients in memory. */
  readonly size: number;
}

/** Options of {@link createRateWindow}. */
export interface RateWindowOptions {
  /** Admissions of one client in any span of `windowMs`; 0 refuses everything. */
  readonly limit: number;
  readonly windowMs: number;
  /** Clients in memory. When it is full, the client whose last admission is oldest is removed. */
  readonly maxKeys: number;
}

/**
 * Creates an exact sliding window that keeps the times of each client's last admissions, about 220 bytes for a client
 * with up to three of them. A client idle for two windows is removed. A client that is removed because the memory is
 * full starts with an empty window: to get more than `limit`, it needs `maxKeys` other clients that are admitted within
 * the same window.
 * @throws RangeError when an option is out of range.
 */
export function createRateWindow({ limit, windowMs, maxKeys }: RateWindowOptions): RateWindow {
  requireInteger("limit", limit, 0);
  requireInteger("windowMs", windowMs, 1);
  requireInteger("maxKeys", maxKeys, 1);
  const keepMs = 2 * windowMs;
  /** Times of admissions in ascending order, at most `limit`. The cache is ordered by each client's last one. */
  const admissions = new LRUCache<string, number[]>({ max: maxKeys });
  let latest = Number.NEGATIVE_INFINITY;
  let offset = 0;

  /** Returns `now` on a time line that never steps back by more than one window. */
  function advance(now: number): number {
    if (!Number.isFinite(now)) throw new RangeError(`Cannot read the clock: now is ${now}`);
    let time = now + offset;
    if (time < latest - windowMs) {
      offset += latest - time;
      time = latest;
    }
    if (time > latest) {
      latest = time;
      removeIdle();
    }
    return time;
  }

  function removeIdle(): void {
    for (const key of admissions.rkeys()) {
      const last = admissions.peek(key)?.at(-1) ?? Number.NEGATIVE_INFINITY;
      if (latest - last < keepMs) return;
      admissions.delete(key);
    }
  }

  function describe(times: readonly number[], time: number): RateState {
    if (limit === 0) return { admitted: false, remaining: 0, retryAfterMs: windowMs, resetMs: windowMs };
    const first = times.findIndex((at) => time - at < windowMs);
    if (first < 0) return { admitted: true, remaining: limit, retryAfterMs: 0, resetMs: 0 };
    const used = times.length - first;
    const resetMs = (times[first] ?? time) + windowMs - time;
    return {
      admitted: used < limit,
      remaining: limit - used,
      retryAfterMs: used < limit ? 0 : resetMs,
      resetMs,
    };
  }

  return {
    limit,
    windowMs,
    take(key, now) {
      const time = advance(now);
      const times = admissions.peek(key) ?? [];
      const before = describe(times, time);
      if (!before.admitted) return before;
      // The times of one client never decrease, also when a call has an older time than the previous one.
      const at = Math.max(time, times.at(-1) ?? time);
      const stale = times.findLastIndex((one) => latest - one >= keepMs) + 1;
      const kept = [...times.slice(Math.max(stale, times.length + 1 - limit)), at];
      admissions.set(key, kept);
      return { ...describe(kept, time), admitted: true };
    },
    peek(key, now) {
      const time = advance(now);
      return describe(admissions.peek(key) ?? [], time);
    },
    refund(key, takenAt) {
      const times = admissions.peek(key);
      const index = times?.indexOf(takenAt + offset) ?? -1;
      if (times === undefined || index < 0) return;
      if (times.length === 1) admissions.delete(key);
      else times.splice(index, 1);
    },
    get size() {
      return admissions.size;
    },
  };
}

function requireInteger(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new RangeError(
    `Cannot create a rate window: ${name} is ${value}, not an integer of at least ${least}`,
  );
}
