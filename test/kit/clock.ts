/** A clock that moves only when a test moves it. Times are milliseconds since the epoch. */
export type Clock = ReturnType<typeof createClock>;

/** Creates a {@link Clock}; by default it starts at noon of a UTC day. */
export function createClock(startMs: number = Date.UTC(2026, 0, 15, 12)) {
  let current = startMs;
  return {
    /** A plain function, so it can be passed as `now`. */
    now: (): number => current,
    advance: (ms: number): void => {
      current += ms;
    },
    set: (ms: number): void => {
      current = ms;
    },
  };
}
