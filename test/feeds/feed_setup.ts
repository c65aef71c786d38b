import { type Datasets, openDatasets } from "#datasets";
import {
  type Compiler,
  createCompiler,
  type Feed,
  type Feeds,
  feedHosts,
  openFeeds,
  type RefreshOutcome,
  refreshFeed,
  type TableFeed,
} from "#feeds";
import { type GatewayServer, openUpstreamClient, startGateway } from "#kit";
import type { UpstreamClient } from "#upstream";
import { temporaryFolder } from "../datasets/kit.ts";
import { FEEDS, TABLE_FEEDS } from "./small_feeds.ts";

/** URL of the module from which a worker loads the test's feeds. */
export const registry = new URL("./small_feeds.ts", import.meta.url).href;

/** A gateway, an HTTP client that uses it, a compiler, and a clock that only the test moves. */
export interface FeedSetup {
  readonly gateway: GatewayServer;
  readonly client: UpstreamClient;
  readonly compiler: Compiler;
  readonly directory: string;
  readonly clock: { nowMs: number };
  /** Opens the folder like a process that has just started. */
  open(feeds?: readonly Feed[]): Feeds;
  /** Opens it like a process that downloads this table. */
  openTable(table: TableFeed): { readonly feeds: Feeds; readonly datasets: Datasets };
  /** Downloads one feed; with `compiles`, makes its table after that. */
  refresh(
    feed: Feed | TableFeed,
    feeds: Feeds,
    options?: { readonly signal?: AbortSignal; readonly compiles?: true },
  ): Promise<RefreshOutcome>;
  close(): Promise<void>;
}

/**
 * One compiler for all tests, because its thread takes longer to start than most tests run. It ends by itself when
 * idle.
 */
let compiler: Compiler | undefined;

/** Opens a {@link FeedSetup} in a folder of its own. */
export async function openFeedSetup(): Promise<FeedSetup> {
  const gateway = await startGateway();
  const folder = temporaryFolder();
  const clock = { nowMs: Date.parse("2026-03-05T00:00:00Z") };
  const client = openUpstreamClient({
    hosts: [...FEEDS, ...TABLE_FEEDS].flatMap(feedHosts),
    gateway: gateway.url,
    poolSize: 4,
    now: () => clock.nowMs,
  });
  const own = compiler ?? createCompiler({ registry });
  compiler = own;
  const directory = folder.path;
  const now = () => clock.nowMs;
  return {
    gateway,
    client,
    compiler: own,
    directory,
    clock,
    open: (feeds = FEEDS) => openFeeds({ directory, feeds, now }),
    openTable(table) {
      const feeds = openFeeds({ directory, feeds: [], tables: [table], now });
      return { feeds, datasets: openDatasets({ directory, feeds }) };
    },
    async refresh(feed, feeds, { signal = new AbortController().signal, compiles } = {}) {
      const upstream = client.openSession(AbortSignal.timeout(10_000));
      try {
        const ports = { upstream, cache: feeds.cache, compiler: own, now, random: () => 0.5 };
        const outcome = await refreshFeed(feed, ports, signal);
        if (compiles && !feeds.isCurrent()) await feeds.rebuild(own);
        return outcome;
      } finally {
        upstream.close();
      }
    },
    async close() {
      client.close();
      await gateway.close();
      folder[Symbol.dispose]();
    },
  };
}
