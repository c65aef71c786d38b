import type { Compiler } from "./compile_in_worker.ts";
import type { Feed } from "./feed.ts";
import type { Feeds } from "./open_feeds.ts";
import { type RefreshOutcome, type RefreshPorts, refreshFeed } from "./refresh_feed.ts";
import type { TableFeed } from "./table_feed.ts";

/** A session of the world outside that somebody must close. */
export type FeedSession = RefreshPorts["upstream"] & { close(): void };

/** What a schedule needs from outside. `now` in milliseconds, `random` 0 up to 1. */
export interface ScheduleOptions {
  readonly feeds: Feeds;
  readonly compiler: Compiler;
  readonly openSession: (signal: AbortSignal) => FeedSession;
  readonly now: () => number;
  readonly random: () => number;
  /** Calls back once after that many milliseconds unless it is cancelled; must not keep the process alive. */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  readonly onRefreshed: (outcome: RefreshOutcome) => void;
  readonly onCompiled: (result: {
    readonly rows: number;
    readonly bytes: number;
    readonly ms: number;
  }) => void;
  readonly onProblem: (problem: string) => void;
}

/** A refresh that goes on in the background. */
export interface FeedSchedule {
  /** Ends what is under way; resolves when nothing is. */
  stop(): Promise<void>;
}

/** Feeds fetched side by side. */
const PARALLEL = 2;
/** Longest that one feed may take, all its files together. */
const REFRESH_MS = 300_000;
/** Feeds that are due at the start are spread over this long. */
const SPREAD_MS = 15_000;
/** Whatever a feed says, it is not asked again sooner. */
const LEAST_PAUSE_MS = 60_000;
/** New downloads wait for each other: shortly when nothing else is due, longer when it is. */
const GATHER_IDLE_MS = 2_000;
const GATHER_MS = 60_000;
/** Tables are compiled this often at most. */
const COMPILE_PAUSE_MS = 120_000;
/** Looked around at least this often, for what another process may have done. */
const LOOK_MS = 600_000;

/** Starts to refresh every feed at its cadence and to compile what is new. */
export function scheduleFeeds(options: ScheduleOptions): FeedSchedule {
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
    Math.max(feeds.shelf.record(feed.id).dueAt, notBefore.get(feed.id) ?? 0);

  async function refresh(feed: Feed | TableFeed): Promise<void> {
    const session = options.openSession(AbortSignal.any([ending.signal, AbortSignal.timeout(REFRESH_MS)]));
    try {
      const ports = { upstream: session, shelf: feeds.shelf, compiler, now, random };
      const outcome = await refreshFeed(feed, ports, ending.signal);
      if (!ending.signal.aborted) options.onRefreshed(outcome);
    } finally {
      session.close();
      notBefore.set(feed.id, now() + LEAST_PAUSE_MS);
      running.delete(feed.id);
      look();
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
      look();
    }
  }

  /** Starts what is due and sets the alarm for what is next. */
  function look(): void {
    if (ending.signal.aborted) return;
    cancelTimer();
    const nowMs = now();
    if (running.size === 0 && building === undefined) feeds.reload();
    const waiting = all.filter((feed) => !running.has(feed.id)).sort((a, b) => dueAt(a) - dueAt(b));
    for (const feed of waiting) {
      if (running.size >= PARALLEL || dueAt(feed) > nowMs) break;
      running.set(feed.id, refresh(feed));
    }
    let wakeMs = nowMs + LOOK_MS;
    const next = waiting.find((feed) => !running.has(feed.id));
    if (next !== undefined && running.size < PARALLEL) wakeMs = Math.min(wakeMs, dueAt(next));
    if (building === undefined && !feeds.isCurrent()) {
      dirtySinceMs ??= nowMs;
      const isBusy = running.size > 0 || (next !== undefined && dueAt(next) <= nowMs + SPREAD_MS);
      const buildMs = Math.max(dirtySinceMs + (isBusy ? GATHER_MS : GATHER_IDLE_MS), compileAtMs);
      if (buildMs <= nowMs) building = build();
      else wakeMs = Math.min(wakeMs, buildMs);
    }
    cancelTimer = options.setTimer(look, Math.max(0, wakeMs - nowMs));
  }

  look();
  return {
    async stop() {
      ending.abort();
      cancelTimer();
      compiler.close();
      await Promise.allSettled([...running.values(), building]);
    },
  };
}
