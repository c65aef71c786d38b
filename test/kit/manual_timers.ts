/** A timer that a test fires by hand. */
export interface ManualTimer {
  readonly callback: () => void;
  readonly delayMs: number;
  isCancelled: boolean;
}

/** Timers that fire only when a test calls them, in the order in which they were set. */
export function createManualTimers() {
  const timers: ManualTimer[] = [];
  return {
    timers,
    setTimer(callback: () => void, delayMs: number): () => void {
      const timer: ManualTimer = { callback, delayMs, isCancelled: false };
      timers.push(timer);
      return () => {
        timer.isCancelled = true;
      };
    },
  };
}
