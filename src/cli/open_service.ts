import type { Address } from "#address";
import type { Config } from "#config";
import { type Datasets, openDatasets } from "#datasets";
import { createLookup, type Lookup, surveyAddress } from "#lookup";
import { createZoneHealth, dailyLimit, type RunPorts, SOURCES, upstreamHosts } from "#sources";
import { openStore, type Store } from "#store";
import { createBreaker, createBudget, createWorld } from "#upstream";
import type { Log } from "../log.ts";

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
  const datasets = openDatasets({ directory: edge.paths.seed });
  for (const table of datasets.states()) {
    if (!table.ready) log("warn", "table_missing", { table: table.id, problem: table.problem });
  }
  const store = await openStore({ ...config.database, migrations: edge.paths.migrations });

  const settings: RunPorts["settings"] = {
    live: config.live,
    allowNoncommercial: config.allowNoncommercial,
    off: config.sourcesOff,
    secrets: config.secrets,
    ...(config.contact === undefined ? {} : { contact: config.contact }),
  };
  const world = createWorld({
    hosts: upstreamHosts(SOURCES),
    dnsServers: config.dnsServers,
    userAgent: userAgent(edge.version, config.contact),
    poolSize: config.pool,
    now,
    ...(config.gateway === undefined ? {} : { gateway: config.gateway }),
  });
  const limits = new Map(
    SOURCES.map((source) => [source.id, dailyLimit(source, settings, config.dailyBudgets)]),
  );
  const ports: Omit<RunPorts, "upstream"> = {
    datasets,
    breaker: createBreaker({ now }),
    budget: createBudget({ now, limits: (id) => limits.get(id) }),
    zones: createZoneHealth({ now }),
    settings,
    now,
  };
  const openSession = (signal: AbortSignal) => world.open(signal);
  const special = SOURCES.filter((source) => source.id === SPECIAL_SOURCE);
  const surveyWith = (sources: typeof SOURCES) => (address: Address) =>
    surveyAddress(address, { sources, openSession, ports, deadlineMs: config.surveyMs });

  const lookup = createLookup({
    store,
    survey: surveyWith(SOURCES),
    surveySpecial: surveyWith(special),
    now,
    live: config.live,
    staleMs: config.staleMs,
    cacheEntries: config.cacheEntries,
    cacheMs: config.cacheMs,
    maxSurveys: MAX_SURVEYS,
    log,
  });
  return {
    lookup,
    datasets,
    store,
    async close() {
      world.close();
      await store.close();
    },
  };
}

function userAgent(version: string, contact: string | undefined): string {
  return `limpid/${version}${contact === undefined ? "" : ` (+${contact})`}`;
}
