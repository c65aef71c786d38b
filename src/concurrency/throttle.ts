/**
 * Lets one caller start at a time, with a pause of `intervalMs` between two starts. Without it, work with the same deadline starts together and ends
 * together, and blocks the event loop at both times. `now` is in milliseconds of a monotonic clock; `after` calls
 * `then` after `ms`.
 */
export function createThrottle(options: {
  readonly intervalMs: number;
  readonly now: () => number;
  readonly after: (ms: number, then: () => void) => void;
}) {
  const { intervalMs, now, after } = options;
  const waiting: (() => void)[] = [];
  let freeAt = Number.NEGATIVE_INFINITY;
  let isTicking = false;

  /** Sets one timer after another, because several late timers would all fire at once. */
  function tick(ms: number): void {
    isTicking = true;
    after(ms, () => {
      waiting.shift()?.();
      if (waiting.length > 0) return tick(intervalMs);
      isTicking = false;
      freeAt = now() + intervalMs;
    });
  }

  return {
    /** Resolves when the caller may start: at once after the pause, else in order of arrival. */
    wait(): Promise<void> {
      const at = now();
      if (!isTicking && at >= freeAt) {
        freeAt = at + intervalMs;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        waiting.push(resolve);
        if (!isTicking) tick(freeAt - at);
      });
    },
  };
}
