import { join } from "node:path";
import type { Address } from "#address";
import { openDatasets } from "#datasets";
import { type Evidence, mergeEvidence, type SourceRun } from "#evidence";
import { FEEDS } from "#feeds";
import { SOURCES, type Source } from "#sources";
import { createUpstreamClient } from "#upstream";

const SURVEYED_AT = "2026-01-01T00:00:00.000Z";

/** Returns a function that asks the tables that ship with the program, and nothing else, about an address. */
export function openTables(): (address: Address) => Promise<Evidence> {
  const datasets = openDatasets({ directory: join(import.meta.dir, "../../seed") });
  const { signal } = new AbortController();
  const client = createUpstreamClient({
    hosts: [],
    userAgent: "limpid-bench",
    poolSize: 1,
    now: Date.now,
  });
  const ports = { datasets, upstream: client.openSession(signal) };
  const feeds = new Set<string>(FEEDS.map((feed) => feed.id));
  const tables: readonly Source[] = SOURCES.filter(
    (source) => source.local === true && !feeds.has(source.id),
  );

  async function ask(source: Source, address: Address): Promise<SourceRun> {
    const { id, name, kind, family, matters, weight } = source;
    const observation = source.read(await source.ask(address, ports, signal), address);
    const run = { id, name, kind, family, matters, weight, local: true, ms: 0 };
    return observation === undefined
      ? { ...run, state: "empty" }
      : { ...run, state: "answered", observation };
  }

  return async (address) => {
    const runs: SourceRun[] = [];
    for (const source of tables) runs.push(await ask(source, address));
    return mergeEvidence({
      address: address.text,
      version: address.version,
      surveyedAt: SURVEYED_AT,
      runs,
    });
  };
}
