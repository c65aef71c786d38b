/** After the first failure the store is left alone this long, and twice as long after each probe that failed. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

/** What became of a read: `reached: false` says that it is unknown what is stored, never that nothing is. */
export type Read<Value> = { readonly reached: true; readonly value: Value } | { readonly reached: false };

/** Reads from a store that may be away, without waiting each time to learn that it still is. */
export interface Outage {
  /** Never rejects. During an outage nothing is asked, but for one probe whenever the pause is over. */
  read<Value>(ask: () => Promise<Value>): Promise<Read<Value>>;
  readonly isLost: boolean;
}

/** Creates the memory of a store's outage; `onLoss` and `onReturn` are told once per outage. `now` in milliseconds. */
export function createOutage(options: {
  readonly now: () => number;
  readonly onLoss: (error: unknown) => void;
  readonly onReturn: (lastedMs: number) => void;
}): Outage {
  const { now } = options;
  let lostAt: number | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let probeAt = 0;

  function fail(error: unknown, isProbe: boolean): void {
    if (lostAt === undefined) {
      lostAt = now();
      pauseMs = FIRST_PAUSE_MS;
      options.onLoss(error);
    } else if (isProbe) {
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    } else return;
    probeAt = now() + pauseMs;
  }

  return {
    get isLost() {
      return lostAt !== undefined;
    },
    async read(ask) {
      const isProbe = lostAt !== undefined;
      if (isProbe) {
        if (now() < probeAt) return { reached: false };
        // Others need not wait for this probe; and should it never end, another follows.
        probeAt = now() + LONGEST_PAUSE_MS;
      }
      try {
        const value = await ask();
        if (lostAt !== undefined) {
          const lastedMs = now() - lostAt;
          lostAt = undefined;
          options.onReturn(lastedMs);
        }
        return { reached: true, value };
      } catch (error) {
        fail(error, isProbe);
        return { reached: false };
      }
    },
  };
}
