/** How late this process's timers come: what everybody waits for who wants an answer. */
export interface LoopWatch {
  /** The longest delay since it was last asked, seconds. */
  takeLongest(): number;
  stop(): void;
}

/** Often enough to see a pause that a request would, seldom enough to cost nothing. */
const PERIOD_MS = 250;

/**
 * Begins to measure: a timer that should come every 250 ms, and how much later it does. `clock` in milliseconds of any
 * epoch; `every` calls back until the returned function is called, and must not keep the process alive.
 */
export function watchLoop(options: {
  readonly clock: () => number;
  readonly every: (ms: number, then: () => void) => () => void;
  readonly onDelay: (seconds: number) => void;
}): LoopWatch {
  const { clock } = options;
  let longest = 0;
  let dueAt = clock() + PERIOD_MS;
  const stop = options.every(PERIOD_MS, () => {
    const seconds = Math.max(0, clock() - dueAt) / 1000;
    dueAt = clock() + PERIOD_MS;
    longest = Math.max(longest, seconds);
    options.onDelay(seconds);
  });
  return {
    takeLongest() {
      const taken = longest;
      longest = 0;
      return taken;
    },
    stop,
  };
}
