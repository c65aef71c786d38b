/**
 * Creates a single flight: calls with the same key at the same time share one run of the work. A result is not kept: a
 * call after the end starts the work again.
 */
export function createSingleFlight<Result>() {
  const running = new Map<string, Promise<Result>>();
  return {
    /** Joins the work that runs under `key`, or starts it. */
    run(key: string, work: () => Promise<Result>): Promise<Result> {
      const known = running.get(key);
      if (known !== undefined) return known;
      const started = work().finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
  };
}

/** Waits for `work`. When `signal` aborts first, rejects with its reason; the work continues. */
export function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
