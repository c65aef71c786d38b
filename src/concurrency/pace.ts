import { createQueue } from "./queue.ts";

/** Heavy work that leaves processor time to the rest of the process. */
export type Pace = ReturnType<typeof createPace>;

/**
 * Runs work one after another, and rests after each for as long as it took, at most for `maxRestMs`. Where a control group
 * limits the processor, work without a rest uses up the time of every period, and the whole process stops until the next.
 */
export function createPace(options: { readonly maxWaiting: number; readonly maxRestMs: number }) {
  const { maxWaiting, maxRestMs } = options;
  const queue = createQueue({ maxRunning: 1, maxWaiting });
  const restSince = (startedAt: number) => Math.min(performance.now() - startedAt, maxRestMs);
  let resumedAt = 0;
  return {
    /** Returns undefined, and starts nothing, when `maxWaiting` others wait. */
    async run<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> {
      const place = queue.enter();
      if (place === undefined) return undefined;
      await place.turn;
      const startedAt = performance.now();
      resumedAt = startedAt;
      try {
        return await work();
      } finally {
        setTimeout(() => place.release(), restSince(startedAt)).unref();
      }
    },
    /** Rests within long work, for as long as it has run since it began or last rested. */
    async rest(): Promise<void> {
      await Bun.sleep(restSince(resumedAt));
      resumedAt = performance.now();
    },
  };
}
