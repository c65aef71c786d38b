import { join } from "node:path";
import type { Address } from "#address";
import { type Datasets, openDatasets } from "#datasets";
import { type Evidence, mergeEvidence, type SourceRun } from "#evidence";
import { FEEDS, type Feed, type Feeds, openFeeds, openSnapshot } from "#feeds";
import { createTableSurvey, NO_SETTINGS, SOURCES, type Source, type TableSurvey } from "#sources";
import { createUpstreamClient } from "#upstream";

/** The moment of all surveys of the benches. */
export const SURVEYED_AT = "2026-01-01T00:00:00.000Z";

export const SEED = join(import.meta.dir, "../../seed");

const lists = new Set<string>(FEEDS.map((feed) => feed.id));

/** The sources that ship with the program. */
export const TABLES: readonly Source[] = SOURCES.filter(({ id, local }) => local === true && !lists.has(id));

/** Opens the lists that ship with the program, as in a product that has downloaded nothing. */
export function openShippedFeeds(feeds: readonly Feed[] = FEEDS, snapshot = openSnapshot(SEED)): Feeds {
  if (snapshot.problem !== undefined) throw new Error(snapshot.problem);
  return openFeeds({ directory: join(SEED, "none"), feeds, snapshot, now: Date.now });
}

/** The tables and lists that ship with the program, without those in `off`. */
export function openShippedTables(off: readonly string[] = []): TableSurvey {
  const feeds = openShippedFeeds();
  const absent = FEEDS.filter(({ id }) => feeds.state(id).freshness === "absent").map(({ id }) => id);
  return createTableSurvey(SOURCES, {
    datasets: openDatasets({ directory: SEED, feeds }),
    settings: { ...NO_SETTINGS, off: new Set([...absent, ...off]) },
    now: Date.now,
  });
}

/** Asks local sources about addresses. Nothing outside the process is reachable. */
export interface LocalSurvey {
  /** What one source says, before it is read. */
  fetch(source: Source, address: Address): unknown;
  /** The evidence of the sources and of what `told` says beside them. */
  ask(address: Address, told?: readonly SourceRun[]): Promise<Evidence>;
  close(): void;
}

/** By default asks the tables that ship with the program, and nothing else. */
export function openLocalSurvey(
  sources: readonly Source[] = TABLES,
  datasets: Datasets = openDatasets({ directory: SEED }),
): LocalSurvey {
  const { signal } = new AbortController();
  const client = createUpstreamClient({ hosts: [], userAgent: "limpid-bench", poolSize: 1, now: Date.now });
  const ports = { datasets, upstream: client.openSession(signal) };
  const fetch = (source: Source, address: Address) => source.ask(address, ports, signal);

  async function run(source: Source, address: Address): Promise<SourceRun> {
    const { id, name, kind, family, matters, weight, zone } = source;
    const observation = source.read(await fetch(source, address), address);
    const said = { id, name, kind, family, matters, weight, local: true, ms: 0, ...(zone && { zone }) };
    return observation === undefined
      ? { ...said, state: "empty" }
      : { ...said, state: "answered", observation };
  }

  return {
    fetch,
    async ask(address, told = []) {
      const runs = await Promise.all(sources.map((source) => run(source, address)));
      const { text, version } = address;
      return mergeEvidence({ address: text, version, surveyedAt: SURVEYED_AT, runs: [...runs, ...told] });
    },
    close: () => client.close(),
  };
}
