import type { Log } from "../log.ts";

/** Failures within this long are told in one line: whoever starts offline has one for every list. */
const GATHER_MS = 30_000;

/** Tells the log of lists that could not be downloaded. */
export interface FeedNews {
  failed(id: string, problem: string): void;
  /** Tells at once what has been gathered. */
  flush(): void;
}

/** Creates {@link FeedNews}. `setTimer` calls back once unless cancelled. */
export function createFeedNews(options: {
  readonly log: Log;
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
}): FeedNews {
  /** Ids by problem. */
  let gathered = new Map<string, string[]>();
  let cancel: (() => void) | undefined;

  function flush(): void {
    cancel?.();
    cancel = undefined;
    const failures = [...gathered];
    gathered = new Map();
    const [first] = failures;
    if (first === undefined) return;
    const [problem, ids] = first;
    if (failures.length === 1 && ids.length === 1)
      options.log("warn", "feed_failed", { id: ids[0], problem });
    else {
      const count = failures.reduce((sum, [, some]) => sum + some.length, 0);
      options.log("warn", "feeds_failed", { count, problems: Object.fromEntries(failures) });
    }
  }

  return {
    failed(id, problem) {
      gathered.set(problem, [...(gathered.get(problem) ?? []), id]);
      cancel ??= options.setTimer(flush, GATHER_MS);
    },
    flush,
  };
}
