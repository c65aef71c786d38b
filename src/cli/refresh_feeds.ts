import { createCompiler, type FeedSchedule, type Feeds, scheduleFeeds } from "#datasets";
import type { Metrics } from "#metrics";
import type { UpstreamClient } from "#upstream";
import type { Log } from "../log.ts";
import { createFeedNews } from "./feed_news.ts";

/** Keeps the feeds up to date in the background, and tells the log and the metrics. */
export function refreshFeeds(
  feeds: Feeds,
  edge: {
    readonly world: UpstreamClient;
    readonly now: () => number;
    readonly log: Log;
    readonly metrics?: Metrics;
  },
): FeedSchedule {
  const { world, now, log, metrics } = edge;
  const news = createFeedNews({ log, setTimer });
  const schedule = scheduleFeeds({
    feeds,
    compiler: createCompiler(),
    openSession: (signal) => world.openSession(signal),
    now,
    random: Math.random,
    setTimer,
    onRefreshed(outcome) {
      metrics?.refreshed(outcome.id, outcome.did);
      if (outcome.did !== "failed") {
        log(outcome.did === "updated" ? "info" : "debug", "feed_refreshed", { ...outcome });
        return;
      }
      // Once is worth a warning; that it goes on is to be seen in `limpid feeds status` and in the metrics.
      if (feeds.shelf.record(outcome.id).failures <= 1) news.failed(outcome.id, outcome.problem);
      else log("debug", "feed_failed", { id: outcome.id, problem: outcome.problem });
    },
    onCompiled: (result) => log("info", "feeds_compiled", { ...result }),
    onProblem: (problem) => log("error", "feeds_not_compiled", { problem }),
  });
  return {
    async stop() {
      await schedule.stop();
      news.flush();
    },
  };
}

function setTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}
