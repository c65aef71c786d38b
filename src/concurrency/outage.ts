/** The result of a read. `reached: false` means that the store's content is unknown, never that it is empty. */
export type Read<Value> = { readonly reached: true; readonly value: Value } | { readonly reached: false };

/**
 * Creates a circuit breaker for calls of the store. After the first failure, nothing is called for `firstPauseMs`; each failed probe doubles
 * the pause up to `longestPauseMs`. `onLoss` and `onReturn` are called once per outage. `now` in milliseconds.
 */
export function createOutage(options: {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  readonly now: () => number;
  readonly onLoss: (error: unknown) => void;
  readonly onReturn: (lastedMs: number) => void;
}) {
  const { now, firstPauseMs, longestPauseMs } = options;
  let lostAt: number | undefined;
  let pauseMs = firstPauseMs;
  let probeAt = 0;

  function fail(error: unknown, isProbe: boolean): void {
    if (lostAt === undefined) {
      lostAt = now();
      pauseMs = firstPauseMs;
      options.onLoss(error);
    } else if (isProbe) {
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
    } else return;
    probeAt = now() + pauseMs;
  }

  return {
    get isLost(): boolean {
      return lostAt !== undefined;
    },
    /** Calls, or returns `reached: false`. During an outage only one probe per pause calls. Never rejects. */
    async read<Value>(work: () => Promise<Value>): Promise<Read<Value>> {
      const isProbe = lostAt !== undefined;
      if (isProbe) {
        const waitMs = probeAt - now();
        // A longer wait means that the clock was set back.
        if (waitMs > 0 && waitMs <= longestPauseMs) return { reached: false };
        // Others do not wait for this probe; if it never ends, another one follows.
        probeAt = now() + longestPauseMs;
      }
      try {
        const value = await work();
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
