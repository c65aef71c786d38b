import { createCompiler, type FeedSchedule, type Feeds, scheduleFeeds } from "#datasets";
import type { World } from "#upstream";
import type { Log } from "../log.ts";

/** Keeps the feeds up to date in the background, and tells the log. */
export function refreshFeeds(
  feeds: Feeds,
  edge: { readonly world: World; readonly now: () => number; readonly log: Log },
): FeedSchedule {
  const { world, now, log } = edge;
  return scheduleFeeds({
    feeds,
    compiler: createCompiler(),
    openSession: (signal) => world.open(signal),
    now,
    random: Math.random,
    setTimer(callback, delayMs) {
      const timer = setTimeout(callback, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
    onRefreshed(outcome) {
      if (outcome.did !== "failed") {
        log(outcome.did === "updated" ? "info" : "debug", "feed_refreshed", { ...outcome });
        return;
      }
      // Once is worth a warning; that it goes on is to be seen in `limpid feeds status`.
      const isFirst = feeds.shelf.record(outcome.id).failures <= 1;
      log(isFirst ? "warn" : "debug", "feed_failed", { id: outcome.id, problem: outcome.problem });
    },
    onCompiled: (result) => log("info", "feeds_compiled", { ...result }),
    onProblem: (problem) => log("error", "feeds_not_compiled", { problem }),
  });
}
