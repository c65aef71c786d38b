import { pruneInWorker } from "#store";
import type { Log } from "../log.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The first comes soon after a start, so that a server started anew every night prunes too. */
const SOONEST_MS = MINUTE_MS;
const FIRST_SPREAD_MS = 10 * MINUTE_MS;

/** A database that did not answer is asked again after this time. */
const RETRY_MS = 60 * MINUTE_MS;

/** A pruning once a day, until it is stopped. */
export interface PruneSchedule {
  /** Ends the pruning under way after its batch, and begins no other. */
  stop(): Promise<void>;
}

/**
 * Deletes what is older than the retention allows, once a day and in the background. Every process on a database does
 * so, at a moment of its own: whoever comes second finds nothing, and deleting twice is deleting once.
 */
export function pruneDaily(
  database: { readonly url: string; readonly token?: string },
  edge: {
    readonly retentionMs: number;
    readonly now: () => number;
    /** From 0 up to 1. */
    readonly random: () => number;
    readonly log: Log;
    /** Calls back once after a delay, unless the function it gives is called before. */
    readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  },
): PruneSchedule {
  const { now, random, log, setTimer, retentionMs } = edge;
  const ending = new AbortController();
  let underWay: Promise<void> = Promise.resolve();
  let cancel = wait(SOONEST_MS + random() * FIRST_SPREAD_MS);

  function wait(delayMs: number): () => void {
    return setTimer(() => {
      underWay = prune();
    }, delayMs);
  }

  async function prune(): Promise<void> {
    const startedMs = now();
    let nextMs = DAY_MS;
    try {
      const done = await pruneInWorker(database, {
        before: startedMs - retentionMs,
        signal: ending.signal,
      });
      const { reports, history } = done;
      log(reports + history > 0 ? "info" : "debug", "pruned", { reports, history, ms: now() - startedMs });
    } catch (error) {
      nextMs = RETRY_MS;
      log("warn", "prune_failed", { message: error instanceof Error ? error.message : String(error) });
    }
    if (!ending.signal.aborted) cancel = wait(nextMs);
  }

  return {
    async stop() {
      cancel();
      ending.abort();
      await underWay;
    },
  };
}
