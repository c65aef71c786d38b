/** A clock that stands still until it is told to move. Times are milliseconds since the epoch. */
export interface Clock {
  /** A plain function: may be passed on as `now`. */
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  readonly set: (ms: number) => void;
}

/** Starts a {@link Clock}; the default is noon of an ordinary UTC day. */
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
