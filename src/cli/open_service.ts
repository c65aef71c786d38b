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
import {
  createLookup,
  createPace,
  type Hit,
  type Lookup,
  type Lookups,
  type Peek,
  surveyAddress,
} from "#lookup";
import type { Metrics } from "#metrics";
import { createZoneHealth, dailyLimit, type RunPorts, SOURCES, type Source, upstreamHosts } from "#sources";
import {
  type NearStore,
  openNearStore,
  openStore,
  openStoreLater,
  type ReplicaState,
  type Store,
} from "#store";
import { type Budget, createBreaker, createBudget, createWorld, type UpstreamSession } from "#upstream";
import type { Log } from "../log.ts";
import { chooseFeeds } from "./choose_feeds.ts";
import { EXIT, ExitError } from "./exit_codes.ts";
import { refreshFeeds } from "./refresh_feeds.ts";
import { userAgent } from "./user_agent.ts";
import { watchBudgets } from "./watch_budgets.ts";
import { watchHit } from "./watch_hit.ts";
import { watchLookup } from "./watch_lookup.ts";
import { watchStore } from "./watch_store.ts";

/** Questions under way at once over all surveys: beyond about 300, DNS answers get lost on their way to us. */
const MAX_QUESTIONS = 300;

/** Surveys under way at once, however few questions each asks at a time: judging them takes processor time. */
const MAX_SURVEYS = 16;

/** Beginning or ending a survey takes the event loop some milliseconds; between two of them others are answered. */
const SURVEY_APART_MS = 20;

/** The longest that anybody waits for a survey to begin. */
const MAX_WAIT_MS = 15_000;

/** Wait and survey together end well before a connection is closed for being quiet. */
const MAX_ANSWER_MS = 25_000;

/** Bounds the memory that waiting costs where surveys are short. */
const MAX_ROUNDS = 8;

/** The id of the one source that speaks about special-purpose space. */
const SPECIAL_SOURCE = "special_purpose";

/** Where Turnstile's solutions are judged. */
const TURNSTILE_HOST = "challenges.cloudflare.com";

/** Folders that ship with the program. */
export interface Paths {
  readonly migrations: string;
  /** Where packages are installed, of which a few files are served. */
  readonly packages: string;
  readonly seed: string;
  readonly static: string;
}

/** Everything behind the faces, opened: the use case, the tables and the database. */
export interface Service {
  readonly lookup: Lookup;
  /** What is known already. */
  readonly peek: Peek;
  /** What memory holds already, for a lookup. */
  readonly hit: Hit;
  /** To be told when votes on an address have changed. */
  readonly noteVotes: Lookups["noteVotes"];
  readonly datasets: Datasets;
  readonly store: Store;
  /** How the copy that is read stands to the database; absent = there is none. */
  readonly replica?: () => ReplicaState;
  /** Questions left today, counted by every process on the database. */
  readonly budget: Budget;
  /** Asks these sources about a public address, scarce ones too, past cache and store. Never rejects. */
  survey(address: Address, sources: readonly Source[], deadlineMs: number): Promise<Survey>;
  /** Opens a way to ask the world, for what is no survey; to be closed. */
  readonly openSession: (signal: AbortSignal) => UpstreamSession;
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
  edge: {
    readonly paths: Paths;
    readonly version: string;
    readonly now: () => number;
    readonly log: Log;
    /** Absent = nobody counts. */
    readonly metrics?: Metrics;
    /** A process that stays reads from a copy at hand, if the configuration says so; a command of a moment does not. */
    readonly isServing?: true;
  },
): Promise<Service> {
  const { now, log, metrics } = edge;
  if (config.mirror !== undefined)
    throw new ExitError(
      EXIT.config,
      "Cannot open the service: LIMPID_MIRROR_OF makes this a mirror, which is only served",
    );
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
  const database = { ...config.database, migrations: edge.paths.migrations };
  const readsCopy = config.replica !== undefined && edge.isServing === true;
  // Who has a copy to read from need not wait for the server to start.
  const opened = await (readsCopy ? openStoreLater(database, log) : openStore(database));
  const near = readsCopy ? await openNear(opened, config, edge) : undefined;
  const reading = near?.store ?? opened;
  const store = metrics === undefined ? reading : watchStore(reading, metrics);

  const settings: RunPorts["settings"] = {
    live: config.live,
    allowNoncommercial: config.allowNoncommercial,
    off: config.feeds ? config.sourcesOff : new Set([...config.sourcesOff, ...findAbsent(feeds)]),
    secrets: config.secrets,
    ...(config.contact === undefined ? {} : { contact: config.contact }),
  };
  const world = createWorld({
    hosts: [
      ...upstreamHosts(SOURCES),
      ...[...FEEDS, ...TABLE_FEEDS].flatMap(feedHosts),
      ...(config.verifier.kind === "turnstile" ? [TURNSTILE_HOST] : []),
    ],
    dnsServers: config.dnsServers,
    userAgent: userAgent(edge.version, config.contact),
    poolSize: config.pool,
    now,
    ...(config.gateway === undefined ? {} : { gateway: config.gateway }),
    ...(metrics === undefined ? {} : { onAsked: metrics.asked }),
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

  const maxSurveys = Math.min(MAX_SURVEYS, Math.max(1, Math.floor(MAX_QUESTIONS / config.pool)));
  const maxWaitMs = Math.min(MAX_WAIT_MS, MAX_ANSWER_MS - deadlineMs);
  // As many rounds as fit into the wait if every survey takes to its deadline: who gets a place gets a turn.
  const rounds = Math.min(MAX_ROUNDS, Math.max(1, Math.floor(maxWaitMs / deadlineMs)));

  // Tables answer in less time than that, and where nobody is served nobody waits.
  const isPaced = config.live && edge.isServing === true;
  const pace = createPace({
    apartMs: SURVEY_APART_MS,
    now: () => performance.now(),
    after: (ms, then) => void setTimeout(then, ms),
  });
  const { lookup, peek, hit, noteVotes, load, settle } = createLookup({
    store,
    // With a copy at hand that is read in its place, and a server's answer is not there at once.
    ...(near !== undefined || store.findNow === undefined ? {} : { findNow: store.findNow }),
    ...(near === undefined ? {} : { near: near.shelf }),
    async survey(address, { everyone, watch }) {
      if (isPaced) await pace.turn();
      const startedAt = performance.now();
      const options = { sources: SOURCES, openSession, ports, deadlineMs, everyone, watch };
      const survey = await surveyAddress(address, options);
      metrics?.surveyed(survey.runs, (performance.now() - startedAt) / 1000);
      return survey;
    },
    surveySpecial: (address) => surveyAddress(address, { sources: special, openSession, ports, deadlineMs }),
    now,
    live: config.live,
    staleMs: config.staleMs,
    cacheEntries: config.cacheEntries,
    cacheMs: config.cacheMs,
    maxSurveys,
    maxWaiting: maxSurveys * rounds,
    maxWaitMs,
    log,
  });
  if (metrics !== undefined) {
    const all = [...feeds.feeds, ...feeds.tables];
    watchBudgets(metrics, { book: store.budgets, limits, now });
    metrics.attach({
      load,
      zones: () => ports.zones.states().map(({ key, state }) => ({ ...splitZoneKey(key), state })),
      paused: () => ports.breaker.states().flatMap(({ id, state }) => (state === "open" ? [id] : [])),
      feeds: () => all.map(({ id }) => feeds.state(id)),
      tables: () => datasets.states(),
      ...(near === undefined ? {} : { replica: near.state }),
    });
  }
  let schedule: FeedSchedule | undefined;
  return {
    lookup: metrics === undefined ? lookup : watchLookup(lookup, metrics),
    peek,
    hit: metrics === undefined ? hit : watchHit(hit, metrics),
    noteVotes,
    datasets,
    store,
    ...(near === undefined ? {} : { replica: near.state }),
    budget,
    openSession,
    survey: (address, sources, surveyMs) =>
      surveyAddress(address, { sources, openSession, ports, deadlineMs: surveyMs, everyone: true }),
    startFeeds() {
      if (config.feeds)
        schedule ??= refreshFeeds(feeds, { world, now, log, ...(metrics === undefined ? {} : { metrics }) });
    },
    async close() {
      const stopped = schedule?.stop();
      world.close();
      await stopped;
      await settle();
      await budget.flush();
      await store.close();
    },
  };
}

async function openNear(
  store: Store,
  config: Config,
  edge: { readonly now: () => number; readonly log: Log },
): Promise<NearStore | undefined> {
  if (config.replica === undefined) return undefined;
  const { url: primary, token } = config.database;
  try {
    return await openNearStore(store, {
      directory: join(config.dataDirectory, "replica"),
      primary,
      ...(token === undefined ? {} : { token }),
      periodMs: config.replica.periodMs,
      now: edge.now,
      random: Math.random,
      log: edge.log,
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The source and the IP version that a verdict on a zone is kept under. */
function splitZoneKey(key: string): { readonly id: string; readonly version: string } {
  const slash = key.lastIndexOf("/");
  return { id: key.slice(0, slash), version: key.slice(slash + 1) };
}

/** Feeds that were never downloaded and will not be: not missing, but left out. One that was refused has failed. */
function findAbsent(feeds: Feeds): readonly string[] {
  return feeds.feeds.flatMap(({ id }) => {
    const { freshness, error } = feeds.state(id);
    return freshness === "absent" && error?.reason === undefined ? [id] : [];
  });
}
