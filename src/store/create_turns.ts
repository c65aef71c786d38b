/** Turns among many, first come first served. */
export interface Turns {
  /** Resolves when it is the caller's turn; rejects when `signal` aborts before, and then it never was. */
  take(signal: AbortSignal): Promise<void>;
  /** Ends a turn; it goes to the one who has waited longest. */
  end(): void;
}

/** At most `most` have their turn at once. */
export function createTurns(most: number): Turns {
  const waiting = new Set<() => void>();
  let underWay = 0;
  return {
    take(signal) {
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
    },
    end() {
      const [next] = waiting;
      if (next === undefined) {
        underWay -= 1;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
