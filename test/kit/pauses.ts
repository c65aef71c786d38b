/** Pauses that end when their server closes. */
export interface Pauses {
  pause(ms: number): Promise<void>;
  /** Stops the timers; what waits for them never goes on. */
  clear(): void;
}

export function createPauses(): Pauses {
  const timers = new Set<Timer>();
  return {
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          resolve();
        }, ms);
        timers.add(timer);
      }),
    clear() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
