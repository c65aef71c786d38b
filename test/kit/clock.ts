/** A clock that moves only when a test moves it. Times are milliseconds since the epoch. */
export interface Clock {
  /** A plain function, so it can be passed as `now`. */
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  readonly set: (ms: number) => void;
}

/** Creates a {@link Clock}; by default it starts at noon of a UTC day. */
export function createClock(startMs: number = Date.UTC(2026, 0, 15, 12)): Clock {
  let current = startMs;
  return {
    now: () => current,
    advance: (ms) => {
      current += ms;
    },
    set: (ms) => {
      current = ms;
    },
  };
}
