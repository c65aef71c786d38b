import type { Address } from "#address";
import { createPace, createThrottle } from "#concurrency";
import type { Config } from "#config";
import { openDatasets } from "#datasets";
import type { Survey } from "#evidence";
import { FEEDS, type FeedSchedule, feedHosts, listTurnedOff, TABLE_FEEDS } from "#feeds";
import { ADMIT_ALL, type Admissions, type Client } from "#limits";
import { assess, createLookup, createTableClassifier, surveyAddress } from "#lookup";
import type { Metrics } from "#metrics";
import { createNetworks } from "#network";
import {
  createTableSurvey,
  createZoneHealth,
  dailyLimit,
  type RunPorts,
  SOURCES,
  type Source,
  upstreamHosts,
} from "#sources";
import { openStore, type Store } from "#store";
import { createBreaker, createDailyBudget, createUpstreamClient } from "#upstream";
import { openCorrections } from "./corrections.ts";
import { EXIT, ExitError } from "./exit_codes.ts";
import { chooseFeeds, openChosenFeeds, startDownloads } from "./feeds.ts";
import type { AppContext } from "./files.ts";
import { planMemory } from "./memory.ts";
import { showBudgets } from "./metrics.ts";

/** Queries in progress over all surveys. With more than about 300, DNS answers are lost. */
const MAX_QUERIES = 300;

/** Surveys at once, also when each sends few queries at a time: assessing them takes processor time. */
const MAX_SURVEYS = 16;

/** Starting or ending a survey blocks the event loop for some milliseconds; in the gaps other requests are answered. */
const SURVEY_GAP_MS = 20;

/** The longest time that a caller waits for a survey to start. */
const MAX_WAIT_MS = 15_000;

/** Wait and survey together end well before the connection is closed as idle. */
const MAX_ANSWER_MS = 25_000;

/** Bounds the memory of waiting callers when surveys are short. */
const MAX_ROUNDS = 8;

/** Summaries of networks are made one after another; the last of these waits for about a second. */
const SUMMARY_PACE = { maxWaiting: 16, maxRestMs: 200 };

/** The id of the only source about special-purpose addresses; it needs no table. */
export const SPECIAL_SOURCE = "special_purpose";

/** The operator, who runs commands on this machine. No limit applies. */
export const OPERATOR: Client = { key: "operator", exempt: true };

/** The host that checks the solutions of Turnstile. */
const TURNSTILE_HOST = "challenges.cloudflare.com";

/** A full service without its HTTP server: lookup, tables, database and upstream. */
export type Service = ReturnType<typeof connectService>;

/**
 * Opens the service of the operator: every survey is admitted, and nothing is counted.
 * @throws {StoreError} when the database cannot be opened; {ExitError} when the configuration is that of a mirror.
 */
export async function openService(config: Config, context: AppContext): Promise<Service> {
  const store = await openDatabase(config, context);
  return connectService(config, context, { store, admissions: ADMIT_ALL });
}

/** Opens the database of a service. @throws as {@link openService}. */
export function openDatabase(
  config: Config,
  { paths }: Pick<AppContext, "paths">,
  metrics?: Pick<Metrics, "stored">,
): Promise<Store> {
  if (config.mirror === undefined) {
    const counted = metrics === undefined ? {} : { onOperation: metrics.stored };
    return openStore({ ...config.database, migrations: paths.migrations, ...counted });
  }
  throw new ExitError(
    EXIT.config,
    "Cannot open the service: LIMPID_MIRROR_OF is set, and a mirror can only run `limpid serve`",
  );
}

/** Connects the lists, the tables and the upstream client to a lookup over the store. With metrics, it serves. */
export function connectService(
  config: Config,
  context: AppContext,
  parts: { readonly store: Store; readonly admissions: Admissions; readonly metrics?: Metrics },
) {
  const { now, log } = context;
  const { store, admissions, metrics } = parts;
  const corrections = openCorrections(config.corrections, {
    now,
    onProblem: (message) => log("warn", "corrections_refused", { message }),
  });
  const feeds = openChosenFeeds(config, chooseFeeds(config), {
    now,
    paths: context.paths,
    downloads: metrics !== undefined,
    onProblem: (problem) => log("warn", "table_missing", { table: "snapshot", problem }),
  });
  const datasets = openDatasets({ directory: context.paths.seed, feeds });
  for (const table of datasets.states()) {
    if (!table.ready) log("warn", "table_missing", { table: table.id, problem: table.problem });
  }
  const settings: RunPorts["settings"] = {
    live: config.live,
    allowNoncommercial: config.allowNoncommercial,
    off: new Set([...config.sourcesOff, ...listTurnedOff(feeds, { downloads: config.feeds })]),
    secrets: config.secrets,
    ...(config.contact === undefined ? {} : { contact: config.contact }),
  };
  const upstream = createUpstreamClient({
    hosts: [
      ...upstreamHosts(SOURCES),
      ...[...FEEDS, ...TABLE_FEEDS].flatMap(feedHosts),
      ...(config.verifier.kind === "turnstile" ? [TURNSTILE_HOST] : []),
    ],
    dnsServers: config.dnsServers,
    userAgent: formatUserAgent(context.version, config.contact),
    poolSize: config.pool,
    now,
    ...(config.gateway === undefined ? {} : { gateway: config.gateway }),
    ...(metrics === undefined ? {} : { onRequestEnd: metrics.asked }),
  });
  const limits = new Map(
    SOURCES.map((source) => [source.id, dailyLimit(source, settings, config.dailyBudgets)]),
  );
  const budget = createDailyBudget({
    now,
    limits: (id) => limits.get(id),
    repository: store.budgets,
    onOutage: (error) => log("error", "budget_uncounted", { message: String(error) }),
  });
  const ports: Omit<RunPorts, "upstream" | "isConclusive"> = {
    datasets,
    breaker: createBreaker({ now }),
    budget,
    zones: createZoneHealth({ now }),
    settings,
    now,
  };
  const openSession = (signal: AbortSignal) => upstream.openSession(signal);
  const surveyTables = createTableSurvey(SOURCES, { datasets, settings, now });
  const special = SOURCES.filter((source) => source.id === SPECIAL_SOURCE);
  const deadlineMs = config.surveyMs;

  // A server answers other requests in the gaps. Without live sources a survey takes less time than the gap.
  const isPaced = config.live && metrics !== undefined;
  const throttle = createThrottle({
    intervalMs: SURVEY_GAP_MS,
    now: () => performance.now(),
    after: (ms, then) => void setTimeout(then, ms),
  });
  const { lookup, findKnown, findKnownSync, noteVotes, load, flush } = createLookup({
    store,
    admissions,
    ...(store.findSync === undefined ? {} : { findSync: store.findSync }),
    async survey(address, { askAll, watch }) {
      if (isPaced) await throttle.wait();
      const startedAt = performance.now();
      const options = { sources: SOURCES, openSession, ports, deadlineMs, askAll, watch };
      const survey = await surveyAddress(address, options);
      metrics?.surveyed(survey.runs, (performance.now() - startedAt) / 1000);
      return survey;
    },
    surveySpecial: (address) => surveyAddress(address, { sources: special, openSession, ports, deadlineMs }),
    corrections,
    now,
    live: config.live,
    staleMs: config.staleMs,
    cacheEntries: config.cacheEntries,
    cacheBytes: planMemory(config.cacheBytes).reportBytes,
    cacheMs: config.cacheMs,
    ...limitSurveys(config),
    log,
    onEnd: metrics?.answered,
  });
  if (metrics !== undefined) {
    const all = [...feeds.feeds, ...feeds.tables];
    showBudgets(metrics, { budgets: store.budgets, limits, now });
    metrics.attach({
      load,
      // The key of a state is the source, a slash and the IP version.
      zones: () =>
        ports.zones.states().map(({ key, state }) => {
          const slash = key.lastIndexOf("/");
          return { id: key.slice(0, slash), version: key.slice(slash + 1), state };
        }),
      paused: () => ports.breaker.states().flatMap(({ id, state }) => (state === "open" ? [id] : [])),
      feeds: () => all.map(({ id }) => feeds.state(id)),
      tables: () => datasets.states(),
    });
  }
  const classifier = createTableClassifier(surveyTables, { corrections });
  let schedule: FeedSchedule | undefined;
  return {
    lookup,
    findKnown,
    /** Returns an answer from memory, for a lookup. */
    findKnownSync,
    /** Must be called when the votes on an address have changed. */
    noteVotes,
    /** Judges addresses by the local tables alone. */
    classifier,
    /** Summarizes prefixes and AS from the local tables alone. */
    networks: createNetworks({
      datasets,
      classifier,
      lists: FEEDS,
      version: surveyTables.version,
      pace: createPace(SUMMARY_PACE),
    }),
    /** Assesses an address from the local tables alone. */
    assessTables: async (address: Address) => assess(surveyTables.survey(address), corrections),
    datasets,
    corrections,
    store,
    /** Queries left today, counted by all processes on the database. */
    budget,
    /** Opens an upstream session for requests outside a survey; the caller closes it. */
    openSession,
    /** Queries these sources, scarce ones too, about a public address; bypasses cache and store. Never rejects. */
    survey: (address: Address, sources: readonly Source[], surveyMs: number): Promise<Survey> =>
      surveyAddress(address, { sources, openSession, ports, deadlineMs: surveyMs, askAll: true }),
    /** Starts to keep the downloaded lists up to date, unless the configuration forbids it. */
    startFeeds(): void {
      if (config.feeds)
        schedule ??= startDownloads(feeds, {
          upstream,
          now,
          log,
          ...(metrics === undefined ? {} : { metrics }),
        });
    },
    /** Ends running work and commits. */
    async close(): Promise<void> {
      const stopped = schedule?.stop();
      upstream.close();
      await stopped;
      await flush();
      await budget.flush();
      await store.close();
    },
  };
}

/** How many surveys run and wait. A caller that gets a place in the queue also gets its survey before the timeout. */
function limitSurveys({ pool, surveyMs }: Pick<Config, "pool" | "surveyMs">) {
  const maxSurveys = Math.min(MAX_SURVEYS, Math.max(1, Math.floor(MAX_QUERIES / pool)));
  const maxWaitMs = Math.min(MAX_WAIT_MS, MAX_ANSWER_MS - surveyMs);
  // The rounds that fit into the wait even if every survey runs to its deadline.
  const rounds = Math.min(MAX_ROUNDS, Math.max(1, Math.floor(maxWaitMs / surveyMs)));
  return { maxSurveys, maxWaiting: maxSurveys * rounds, maxWaitMs };
}

export function formatUserAgent(version: string, contact: string | undefined): string {
  return `limpid/${version}${contact === undefined ? "" : ` (+${contact})`}`;
}
