import type { Compiler } from "./compile/compiler.ts";
import { type RefreshOutcome, type RefreshPorts, refreshFeed } from "./download/refresh_feed.ts";
import type { Feed, TableFeed } from "./feed.ts";
import type { Feeds, RebuildResult } from "./open_feeds.ts";

/** A session for outgoing requests. The code that opens a session closes it. */
export type FeedSession = RefreshPorts["upstream"] & { close(): void };

export type FeedSchedule = ReturnType<typeof scheduleFeeds>;

/** Feeds that are downloaded at the same time. */
const PARALLEL = 2;
/** Time limit of one feed, for all its files together. */
const REFRESH_MS = 300_000;
/** Feeds that are due at the start are spread over this time. */
const SPREAD_MS = 15_000;
/** Minimum time between two downloads of a feed. */
const MIN_PAUSE_MS = 60_000;
/** New downloads wait this long for others before they are compiled: shorter when no other feed is due. */
const GATHER_IDLE_MS = 2_000;
const GATHER_MS = 60_000;
/** Minimum time between two builds of the tables. */
const COMPILE_PAUSE_MS = 120_000;
/** Maximum time between two checks, because another process may have downloaded or compiled a feed. */
const CHECK_MS = 600_000;

/**
 * Starts to download every feed at its cadence and to compile new downloads. `now` gives milliseconds, `random` a
 * number from 0 to 1.
 */
export function scheduleFeeds(options: {
  readonly feeds: Feeds;
  readonly compiler: Compiler;
  readonly openSession: (signal: AbortSignal) => FeedSession;
  readonly now: () => number;
  readonly random: () => number;
  /** Calls back once after `delayMs` unless the returned function is called; must not keep the process alive. */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  readonly onRefreshed: (outcome: RefreshOutcome) => void;
  readonly onCompiled: (result: Pick<RebuildResult, "rows" | "bytes"> & { readonly ms: number }) => void;
  readonly onProblem: (problem: string) => void;
}) {
  const { feeds, compiler, now, random } = options;
  const all: readonly (Feed | TableFeed)[] = [...feeds.feeds, ...feeds.tables];
  const ending = new AbortController();
  const running = new Map<string, Promise<void>>();
  const notBefore = new Map(all.map((feed) => [feed.id, now() + random() * SPREAD_MS]));
  let cancelTimer = () => {};
  let building: Promise<void> | undefined;
  let dirtySinceMs: number | undefined;
  let compileAtMs = Number.NEGATIVE_INFINITY;

  const dueAt = (feed: Feed | TableFeed) =>
    Math.max(feeds.cache.record(feed.id).dueAt, notBefore.get(feed.id) ?? 0);

  async function refresh(feed: Feed | TableFeed): Promise<void> {
    const session = options.openSession(AbortSignal.any([ending.signal, AbortSignal.timeout(REFRESH_MS)]));
    try {
      const ports = { upstream: session, cache: feeds.cache, compiler, now, random };
      const outcome = await refreshFeed(feed, ports, ending.signal);
      if (!ending.signal.aborted) options.onRefreshed(outcome);
    } finally {
      session.close();
      notBefore.set(feed.id, now() + MIN_PAUSE_MS);
      running.delete(feed.id);
      check();
    }
  }

  async function build(): Promise<void> {
    const startedMs = now();
    try {
      const { rows, bytes, unwritten } = await feeds.rebuild(compiler);
      options.onCompiled({ rows, bytes, ms: now() - startedMs });
      if (unwritten !== undefined) options.onProblem(`Cannot write the compiled lists: ${unwritten}`);
    } catch (error) {
      if (!ending.signal.aborted) options.onProblem(error instanceof Error ? error.message : String(error));
    } finally {
      building = undefined;
      dirtySinceMs = undefined;
      compileAtMs = now() + COMPILE_PAUSE_MS;
      check();
    }
  }

  /** Starts the refreshes and the build that are due, and sets the timer for the next check. */
  function check(): void {
    if (ending.signal.aborted) return;
    cancelTimer();
    const nowMs = now();
    if (running.size === 0 && building === undefined) feeds.reload();
    const waiting = all.filter((feed) => !running.has(feed.id)).sort((a, b) => dueAt(a) - dueAt(b));
    for (const feed of waiting) {
      if (running.size >= PARALLEL || dueAt(feed) > nowMs) break;
      running.set(feed.id, refresh(feed));
    }
    let wakeMs = nowMs + CHECK_MS;
    const next = waiting.find((feed) => !running.has(feed.id));
    if (next !== undefined && running.size < PARALLEL) wakeMs = Math.min(wakeMs, dueAt(next));
    if (building === undefined && !feeds.isCurrent()) {
      dirtySinceMs ??= nowMs;
      const isBusy = running.size > 0 || (next !== undefined && dueAt(next) <= nowMs + SPREAD_MS);
      const buildMs = Math.max(dirtySinceMs + (isBusy ? GATHER_MS : GATHER_IDLE_MS), compileAtMs);
      if (buildMs <= nowMs) building = build();
      else wakeMs = Math.min(wakeMs, buildMs);
    }
    cancelTimer = options.setTimer(check, Math.max(0, wakeMs - nowMs));
  }

  check();
  return {
    /** Stops all work; resolves when it has stopped. */
    async stop(): Promise<void> {
      ending.abort();
      cancelTimer();
      compiler.close();
      await Promise.allSettled([...running.values(), building]);
    },
  };
}
