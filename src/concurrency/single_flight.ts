/** Single flight: calls with the same key at the same time share one run of the work. */
export interface SingleFlight<Result> {
  /** Joins the work that runs under `key`, or starts it. */
  run(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Creates a {@link SingleFlight}. A result is not kept: a call after the end starts the work again. */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const running = new Map<string, Promise<Result>>();
  return {
    run(key, work) {
      const known = running.get(key);
      if (known !== undefined) return known;
      const started = work().finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
  };
}
