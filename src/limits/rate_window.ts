import { LRUCache } from "lru-cache";
import { MINUTE_MS } from "#common";

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
export type RateWindow = ReturnType<typeof createRateWindow>;

/** A limit up to this is exact. A higher one counts the admissions of each sixtieth of the window together. */
const MAX_ENTRIES = 60;

/**
 * The time that one entry of a window covers; 0 = each admission is an entry of its own. Admissions that are counted
 * together leave the window together, when the last of them leaves. So no span contains more than the limit, a client
 * waits at most this much longer than it must, and any limit takes the same time and memory.
 */
export function entryMs(limit: number, windowMs: number): number {
  return limit <= MAX_ENTRIES ? 0 : Math.ceil(windowMs / MAX_ENTRIES);
}

/**
 * Creates a sliding window that keeps each client's last admissions, about 240 bytes for a client with up to three of
 * them. A client idle for two windows is removed. A client that is removed because the memory is full starts with an
 * empty window: to get more than `limit`, it needs `maxKeys` other clients that are admitted within the same window.
 */
export function createRateWindow(options: {
  /** Admissions of one client in any span of `windowMs`; 0 refuses everything. */
  readonly limit: number;
  readonly windowMs: number;
  /** Clients in memory. When it is full, the client whose last admission is oldest is removed. */
  readonly maxKeys: number;
}) {
  const { limit, windowMs, maxKeys } = options;
  const keepMs = 2 * windowMs;
  const coveredMs = entryMs(limit, windowMs);
  /**
   * The entries of each client in ascending order: the time of the last admission, and the number of admissions. Pairs
   * in one list take less memory than objects. The cache is ordered by each client's last admission.
   */
  const clients = new LRUCache<string, number[]>({ max: maxKeys });
  let latest = Number.NEGATIVE_INFINITY;
  let offset = 0;

  /** Returns `now` on a time line that never steps back by more than one window. */
  function advance(now: number): number {
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
    for (const key of clients.rkeys()) {
      const last = clients.peek(key)?.at(-2) ?? Number.NEGATIVE_INFINITY;
      if (latest - last < keepMs) return;
      clients.delete(key);
    }
  }

  function describe(entries: readonly number[], time: number): RateState {
    if (limit === 0) return { admitted: false, remaining: 0, retryAfterMs: windowMs, resetMs: windowMs };
    let used = 0;
    let first = time;
    for (let at = entries.length - 2; at >= 0; at -= 2) {
      const last = entries[at] ?? 0;
      if (time - last >= windowMs) break;
      first = last;
      used += entries[at + 1] ?? 0;
    }
    const remaining = Math.max(0, limit - used);
    const resetMs = used === 0 ? 0 : first + windowMs - time;
    return { admitted: remaining > 0, remaining, retryAfterMs: remaining > 0 ? 0 : resetMs, resetMs };
  }

  function areTogether(one: number, other: number): boolean {
    return coveredMs > 0 && Math.floor(one / coveredMs) === Math.floor(other / coveredMs);
  }

  /** Adds an admission, and removes the entries that can no longer decide. */
  function add(entries: number[], time: number): void {
    const newest = entries.at(-2);
    // The times of one client never decrease, also when a call has an older time than the previous one.
    const at = Math.max(time, newest ?? time);
    if (newest !== undefined && areTogether(at, newest)) {
      entries[entries.length - 2] = at;
      entries[entries.length - 1] = (entries.at(-1) ?? 0) + 1;
    } else {
      entries.push(at, 1);
    }
    let isFull = false;
    let used = 0;
    for (let place = entries.length - 2; place >= 0; place -= 2) {
      if (isFull || latest - (entries[place] ?? 0) >= keepMs) return void entries.splice(0, place + 2);
      used += entries[place + 1] ?? 0;
      isFull = used >= limit;
    }
  }

  return {
    limit,
    windowMs,
    /** Admits or refuses; a refused take uses nothing. */
    take(key: string, now: number): RateState {
      const time = advance(now);
      const entries = clients.peek(key) ?? [];
      const before = describe(entries, time);
      if (!before.admitted) return before;
      add(entries, time);
      clients.set(key, entries);
      return { ...describe(entries, time), admitted: true };
    },
    /** What a take would return; uses nothing. */
    peek(key: string, now: number): RateState {
      const time = advance(now);
      return describe(clients.peek(key) ?? [], time);
    },
    /** Removes the admission made at `takenAt`, if still in the window: another limit refused its request. */
    refund(key: string, takenAt: number): void {
      const entries = clients.peek(key) ?? [];
      const time = takenAt + offset;
      const place = entries.findIndex(
        (last, at) => at % 2 === 0 && (last === time || areTogether(last, time)),
      );
      if (place < 0) return;
      const count = (entries[place + 1] ?? 0) - 1;
      if (count > 0) entries[place + 1] = count;
      else entries.splice(place, 2);
      if (entries.length === 0) clients.delete(key);
    },
    /** Number of clients in memory. */
    get size(): number {
      return clients.size;
    },
  };
}

/**
 * Clients that the window of lookups keeps: twice the /64 networks of a /48, the largest network that one site
 * usually has. So one site cannot remove other clients from the window. A site with more networks has the full limit
 * of each of them anyway.
 */
const MAX_CLIENTS = 131_072;

/** Creates the limit of all lookups of one client per minute. Surveys have limits of their own. */
export function createLookupWindow(limit: number, maxKeys = MAX_CLIENTS): RateWindow {
  return createRateWindow({ limit, windowMs: MINUTE_MS, maxKeys });
}
