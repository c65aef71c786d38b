import { DAY_MS, type Log, MINUTE_MS } from "#common";
import { pruneDatabase } from "#store";

/** The first run comes soon after a start, so that a server that is restarted every night prunes too. */
const FIRST_DELAY_MS = MINUTE_MS;
const FIRST_SPREAD_MS = 10 * MINUTE_MS;

/** Delay after a run that failed. */
const RETRY_MS = 60 * MINUTE_MS;

/**
 * Deletes reports older than the retention period once a day, in the background. Every process on a database does so
 * at its own time: the later ones find nothing to delete.
 */
export function pruneDaily(
  database: { readonly url: string; readonly token?: string },
  options: {
    readonly retentionMs: number;
    readonly now: () => number;
    /** From 0 up to 1. */
    readonly random: () => number;
    readonly log: Log;
    /** Calls back once after a delay; the returned function cancels it. */
    readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  },
) {
  const { now, random, log, setTimer, retentionMs } = options;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let cancel = schedule(FIRST_DELAY_MS + random() * FIRST_SPREAD_MS);

  function schedule(delayMs: number): () => void {
    return setTimer(() => {
      running = prune();
    }, delayMs);
  }

  async function prune(): Promise<void> {
    const startedMs = now();
    let nextMs = DAY_MS;
    try {
      const { reports, history } = await pruneDatabase(database, {
        before: startedMs - retentionMs,
        signal: stopping.signal,
      });
      log(reports + history > 0 ? "info" : "debug", "pruned", { reports, history, ms: now() - startedMs });
    } catch (error) {
      nextMs = RETRY_MS;
      log("warn", "prune_failed", { message: error instanceof Error ? error.message : String(error) });
    }
    if (!stopping.signal.aborted) cancel = schedule(nextMs);
  }

  return {
    async stop() {
      cancel();
      stopping.abort();
      await running;
    },
  };
}
