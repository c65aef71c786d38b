/** A map that keeps the values that were used last. */
export interface RecentMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  clear(): void;
}

/**
 * Creates a {@link RecentMap}: a value stays until at least half of `max` others were used after it. Two generations of
 * a plain map are faster than an exact order of use.
 */
export function createRecentMap<Key, Value>(max: number): RecentMap<Key, Value> {
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
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    clear() {
      young = new Map();
      old = new Map();
    },
  };
}
