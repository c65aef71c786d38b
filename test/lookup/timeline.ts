import { type Clock, createClock } from "#kit";

/** A clock with timers. They fire when the test moves the clock, in order and each at its own time. */
export interface Timeline {
  readonly now: () => number;
  readonly after: (ms: number, then: () => void) => () => void;
  /** Moves the clock and waits for the work that follows. */
  readonly advance: (ms: number) => Promise<void>;
  /** Number of timers that are set. */
  readonly timers: () => number;
}

/** Starts a {@link Timeline}. */
export function createTimeline(startMs?: number): Timeline {
  const clock: Clock = createClock(startMs);
  const timers = new Set<{ readonly at: number; readonly then: () => void }>();
  return {
    now: clock.now,
    after(ms, then) {
      const timer = { at: clock.now() + ms, then };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const until = clock.now() + ms;
      for (;;) {
        await settle();
        const due = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers.delete(due);
        clock.set(Math.max(clock.now(), due.at));
        due.then();
      }
      clock.set(until);
      await settle();
    },
    timers: () => timers.size,
  };
}

/** Waits for all work that needs no timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
