import { join } from "node:path";
import type { Address } from "#address";
import type { Config } from "#config";
import {
  type Datasets,
  FEEDS,
  type FeedSchedule,
  type Feeds,
  feedHosts,
  openDatasets,
  openFeeds,
  TABLE_FEEDS,
} from "#datasets";
import type { Survey } from "#evidence";
import { createLookup, type Lookup, surveyAddress } from "#lookup";
import { createZoneHealth, dailyLimit, type RunPorts, SOURCES, type Source, upstreamHosts } from "#sources";
import { openStore, type Store } from "#store";
import { type Budget, createBreaker, createBudget, createWorld } from "#upstream";
import type { Log } from "../log.ts";
import { chooseFeeds } from "./choose_feeds.ts";
import { refreshFeeds } from "./refresh_feeds.ts";
import { userAgent } from "./user_agent.ts";

/** Surveys under way at once in one process. */
const MAX_SURVEYS = 64;

/** The id of the one source that speaks about special-purpose space. */
const SPECIAL_SOURCE = "special_purpose";

/** Folders that ship with the program. */
export interface Paths {
  readonly migrations: string;
  readonly seed: string;
  readonly static: string;
}

/** Everything behind the faces, opened: the use case, the tables and the database. */
export interface Service {
  readonly lookup: Lookup;
  readonly datasets: Datasets;
  readonly store: Store;
  /** Questions left today, counted by every process on the database. */
  readonly budget: Budget;
  /** Asks these sources about a public address, scarce ones too, past cache and store. Never rejects. */
  survey(address: Address, sources: readonly Source[], deadlineMs: number): Promise<Survey>;
  /** Begins to keep the downloaded lists up to date, unless the configuration forbids it. */
  startFeeds(): void;
  /** Ends what is in flight and commits. */
  close(): Promise<void>;
}

/**
 * Opens tables, database and upstream, and joins them into the use case.
 * @throws {StoreError} when the database cannot be opened.
 */
export async function openService(
  config: Config,
  edge: { readonly paths: Paths; readonly version: string; readonly now: () => number; readonly log: Log },
): Promise<Service> {
  const { now, log } = edge;
  const chosen = chooseFeeds(config);
  const { tables } = chosen;
  const feeds = openFeeds({
    directory: join(config.dataDirectory, "feeds"),
    feeds: chosen.feeds,
    tables,
    now,
  });
  const datasets = openDatasets({ directory: edge.paths.seed, feeds });
  for (const table of datasets.states()) {
    if (!table.ready) log("warn", "table_missing", { table: table.id, problem: table.problem });
  }
  const store = await openStore({ ...config.database, migrations: edge.paths.migrations });

  const settings: RunPorts["settings"] = {
    live: config.live,
    allowNoncommercial: config.allowNoncommercial,
    off: config.feeds ? config.sourcesOff : new Set([...config.sourcesOff, ...findAbsent(feeds)]),
    secrets: config.secrets,
    ...(config.contact === undefined ? {} : { contact: config.contact }),
  };
  const world = createWorld({
    hosts: [...upstreamHosts(SOURCES), ...[...FEEDS, ...TABLE_FEEDS].flatMap(feedHosts)],
    dnsServers: config.dnsServers,
    userAgent: userAgent(edge.version, config.contact),
    poolSize: config.pool,
    now,
    ...(config.gateway === undefined ? {} : { gateway: config.gateway }),
  });
  const limits = new Map(
    SOURCES.map((source) => [source.id, dailyLimit(source, settings, config.dailyBudgets)]),
  );
  const budget = createBudget({
    now,
    limits: (id) => limits.get(id),
    book: store.budgets,
    onOutage: (error) => log("error", "budget_uncounted", { message: String(error) }),
  });
  const ports: Omit<RunPorts, "upstream" | "settled"> = {
    datasets,
    breaker: createBreaker({ now }),
    budget,
    zones: createZoneHealth({ now }),
    settings,
    now,
  };
  const openSession = (signal: AbortSignal) => world.open(signal);
  const special = SOURCES.filter((source) => source.id === SPECIAL_SOURCE);
  const deadlineMs = config.surveyMs;

  const lookup = createLookup({
    store,
    survey: (address, { everyone }) =>
      surveyAddress(address, { sources: SOURCES, openSession, ports, deadlineMs, everyone }),
    surveySpecial: (address) => surveyAddress(address, { sources: special, openSession, ports, deadlineMs }),
    now,
    live: config.live,
    staleMs: config.staleMs,
    cacheEntries: config.cacheEntries,
    cacheMs: config.cacheMs,
    maxSurveys: MAX_SURVEYS,
    log,
  });
  let schedule: FeedSchedule | undefined;
  return {
    lookup,
    datasets,
    store,
    budget,
    survey: (address, sources, surveyMs) =>
      surveyAddress(address, { sources, openSession, ports, deadlineMs: surveyMs, everyone: true }),
    startFeeds() {
      if (config.feeds) schedule ??= refreshFeeds(feeds, { world, now, log });
    },
    async close() {
      const stopped = schedule?.stop();
      world.close();
      await stopped;
      await budget.flush();
      await store.close();
    },
  };
}

/** Feeds that have nothing to say and will have nothing: not missing, but left out. */
function findAbsent(feeds: Feeds): readonly string[] {
  return feeds.feeds.flatMap((feed) => (feeds.state(feed.id).freshness === "absent" ? [feed.id] : []));
}
