import { join } from "node:path";
import type { Log } from "#common";
import type { Config } from "#config";
import {
  type AllFeeds,
  createCompiler,
  FEEDS,
  type FeedSchedule,
  type Feeds,
  openFeeds,
  openSnapshot,
  scheduleFeeds,
  TABLE_FEEDS,
} from "#feeds";
import type { Metrics } from "#metrics";
import type { UpstreamClient } from "#upstream";
import type { Paths } from "./files.ts";
import { measureMemory } from "./memory.ts";
import { setTimer } from "./timers.ts";

/** All feeds that can be downloaded. */
export const ALL_FEEDS: AllFeeds = { feeds: FEEDS, tables: TABLE_FEEDS };

/** Why a feed is not downloaded. */
export type FeedExclusion = "turned off" | "non-commercial" | "needs LIMPID_CONTACT" | "needs more memory";

/** Chooses the feeds to download by the configuration, the publishers' terms and the memory of the machine. */
export function chooseFeeds(
  config: Pick<Config, "sourcesOff" | "allowNoncommercial" | "contact">,
  all: AllFeeds = ALL_FEEDS,
  memoryBytes = measureMemory(),
) {
  const excluded = new Map<string, FeedExclusion>();
  for (const { id, noncommercial, needsContact } of all.feeds) {
    if (noncommercial === true && !config.allowNoncommercial) excluded.set(id, "non-commercial");
    else if (needsContact === true && config.contact === undefined) excluded.set(id, "needs LIMPID_CONTACT");
  }
  for (const { id, needsMemoryBytes = 0 } of all.tables) {
    if (memoryBytes < needsMemoryBytes) excluded.set(id, "needs more memory");
  }
  for (const { id } of [...all.feeds, ...all.tables]) {
    if (config.sourcesOff.has(id)) excluded.set(id, "turned off");
  }
  return {
    feeds: all.feeds.filter((feed) => !excluded.has(feed.id)),
    tables: all.tables.filter((feed) => !excluded.has(feed.id)),
    excluded,
  };
}

/**
 * Opens the downloaded lists in the data directory, and the snapshot of lists in the folder of the seed behind them.
 * `onProblem` gets the reason why the snapshot cannot be used.
 */
export function openChosenFeeds(
  { dataDirectory }: Pick<Config, "dataDirectory">,
  { feeds, tables }: AllFeeds,
  options: {
    readonly now: () => number;
    readonly paths: Pick<Paths, "seed">;
    readonly downloads?: boolean;
    readonly onProblem?: (problem: string) => void;
  },
): Feeds {
  const { now, paths, onProblem, downloads = false } = options;
  const snapshot = openSnapshot(paths.seed);
  if (snapshot.problem !== undefined) onProblem?.(snapshot.problem);
  return openFeeds({ directory: join(dataDirectory, "feeds"), feeds, tables, snapshot, downloads, now });
}

/** Keeps the feeds up to date in the background. Results go to the log and the metrics. */
export function startDownloads(
  feeds: Feeds,
  options: {
    readonly upstream: UpstreamClient;
    readonly now: () => number;
    readonly log: Log;
    readonly metrics?: Metrics;
  },
): FeedSchedule {
  const { upstream, now, log, metrics } = options;
  const failures = collectFeedFailures({ log, setTimer });
  const schedule = scheduleFeeds({
    feeds,
    compiler: createCompiler(),
    openSession: (signal) => upstream.openSession(signal),
    now,
    random: Math.random,
    setTimer,
    onRefreshed(outcome) {
      metrics?.refreshed(outcome.id, outcome.did);
      if (outcome.problem === undefined) {
        log(outcome.did === "updated" ? "info" : "debug", "feed_refreshed", { ...outcome });
        return;
      }
      // Only the first failure is a warning; `limpid feeds status` and the metrics show the later ones.
      if (feeds.cache.record(outcome.id).failures <= 1) failures.add(outcome.id, outcome.problem);
      else log("debug", "feed_failed", { id: outcome.id, problem: outcome.problem });
    },
    onCompiled: (result) => log("info", "feeds_compiled", { ...result }),
    onProblem: (problem) => log("error", "feeds_not_compiled", { problem }),
  });
  return {
    async stop() {
      await schedule.stop();
      failures.flush();
    },
  };
}

/** Failures within this time go into one log line: without a network, every list fails at the start. */
const COLLECT_MS = 30_000;

/** Collects failed downloads and logs them together. `setTimer` calls back once; the returned function cancels it. */
export function collectFeedFailures(options: {
  readonly log: Log;
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
}) {
  let idsByProblem = new Map<string, string[]>();
  let cancel: (() => void) | undefined;

  function flush(): void {
    cancel?.();
    cancel = undefined;
    const failures = [...idsByProblem];
    idsByProblem = new Map();
    const [first] = failures;
    if (first === undefined) return;
    const [problem, ids] = first;
    if (failures.length === 1 && ids.length === 1) {
      options.log("warn", "feed_failed", { id: ids[0], problem });
    } else {
      const count = failures.reduce((sum, [, some]) => sum + some.length, 0);
      options.log("warn", "feeds_failed", { count, problems: Object.fromEntries(failures) });
    }
  }

  return {
    add(id: string, problem: string): void {
      idsByProblem.set(problem, [...(idsByProblem.get(problem) ?? []), id]);
      cancel ??= options.setTimer(flush, COLLECT_MS);
    },
    /** Logs at once what has been collected. */
    flush,
  };
}
