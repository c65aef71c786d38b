/** Beginnings one at a time. */
export interface Pace {
  /** Resolves at once when the last beginning is long enough ago, else in order of arrival. */
  turn(): Promise<void>;
}

/**
 * Creates a pace of one beginning in `apartMs`. What begins together also ends together, as all that wait for the same
 * deadline do, and nobody else is answered while a dozen of them are begun or concluded in one turn of the event loop.
 * `now` in milliseconds of a clock that never goes back; `after` calls back in so many.
 */
export function createPace(options: {
  readonly apartMs: number;
  readonly now: () => number;
  readonly after: (ms: number, then: () => void) => void;
}): Pace {
  const { apartMs, now, after } = options;
  const waiting: (() => void)[] = [];
  let freeAt = Number.NEGATIVE_INFINITY;
  let isTicking = false;

  /** One timer after another: timers that are late all come at once. */
  function tick(ms: number): void {
    isTicking = true;
    after(ms, () => {
      waiting.shift()?.();
      if (waiting.length > 0) return tick(apartMs);
      isTicking = false;
      freeAt = now() + apartMs;
    });
  }

  return {
    turn() {
      const at = now();
      if (!isTicking && at >= freeAt) {
        freeAt = at + apartMs;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        waiting.push(resolve);
        if (!isTicking) tick(freeAt - at);
      });
    },
  };
}
