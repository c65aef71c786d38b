/** Turns among many, first come first served. */
export interface Turns {
  /** Does `work` when it is its turn; rejects when `signal` aborts before, and then it never was. */
  run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/** At most `most` have their turn at once. */
export function createTurns(most: number): Turns {
  const waiting = new Set<() => void>();
  let underWay = 0;

  function take(signal: AbortSignal): Promise<void> {
    if (underWay < most) {
      underWay += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(start);
        reject(new Error("too many questions are waiting"));
      };
      waiting.add(start);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** A turn that ends goes to the one who has waited longest. */
  function end(): void {
    const [next] = waiting;
    if (next === undefined) {
      underWay -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    async run(work, signal) {
      await take(signal);
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
