/** Units, types, maps of what is known and a test of time that every module may use. It imports no other module. */

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** A share of 0 to 1 in whole percent. It is rounded, because 0.29 * 100 is a little less than 29. */
export function percentOf(share: number): number {
  return Math.round(share * 100);
}

/**
 * Whether a moment is less than `ms` away from `now`. Its distance in both directions counts: a clock that was ahead and
 * is set back stops nothing for longer than `ms`.
 */
export function isRecent(at: number | undefined, now: number, ms: number): boolean {
  return at !== undefined && Math.abs(now - at) < ms;
}

/** The levels of a log line, from the least important. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes one log line. `event` is snake_case; `fields` hold no address, client, key or other secret. Never throws. */
export type Log = (level: LogLevel, event: string, fields?: Record<string, unknown>) => void;

/** Calls `then` after `ms`, or every `ms`, until the returned function is called. */
export type StartTimer = (ms: number, then: () => void) => () => void;

/** Creates a function that makes the value of an object once. A value lives as long as its object. */
export function rememberBy<Key extends object, Value extends string | number | boolean>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = make(key);
    known.set(key, value);
    return value;
  };
}

/**
 * Creates a map that keeps the values that were used last: a value stays until at least half of `max` others were used
 * after it. Two generations of a plain map are faster than an exact order of use.
 */
export function createRecentMap<Key, Value>(max: number) {
  const half = Math.max(1, Math.floor(max / 2));
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();

  function set(key: Key, value: Value): void {
    if (young.size >= half) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    get(key: Key): Value | undefined {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    clear(): void {
      young = new Map();
      old = new Map();
    },
  };
}
