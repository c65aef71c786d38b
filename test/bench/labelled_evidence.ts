import { join } from "node:path";
import type { Address } from "#address";
import { openDatasets } from "#datasets";
import { type Evidence, mergeEvidence, type SourceRun } from "#evidence";
import { FEEDS } from "#feeds";
import { SOURCES, type Source } from "#sources";
import { createUpstreamClient } from "#upstream";
import { type Telling, tellAsLabelled } from "./as_labelled.ts";
import type { LabelledSet } from "./labelled_set.ts";

/** The moment of all surveys of the benches. */
export const SURVEYED_AT = "2026-01-01T00:00:00.000Z";

/** Makes the evidence about labelled addresses from the embedded tables and the sources that tell the label. */
export interface LabelledEvidence {
  /** Undefined where the label says nothing that a score could show. */
  find(set: LabelledSet, address: Address, telling: Telling): Promise<Evidence | undefined>;
  close(): void;
}

/** Opens the embedded tables. No list is downloaded, and nothing outside the process is reachable. */
export function openLabelledEvidence(): LabelledEvidence {
  const datasets = openDatasets({ directory: join(import.meta.dir, "../../seed") });
  const ending = new AbortController();
  const client = createUpstreamClient({ hosts: [], userAgent: "limpid-bench", poolSize: 1, now: Date.now });
  const ports = { datasets, upstream: client.openSession(ending.signal) };
  const lists = new Set<string>(FEEDS.map((feed) => feed.id));
  const tables = SOURCES.filter((source) => source.local === true && !lists.has(source.id));

  async function ask(source: Source, address: Address): Promise<SourceRun> {
    const { id, name, kind, family, matters, weight } = source;
    const observation = source.read(await source.ask(address, ports, ending.signal), address);
    const run = { id, name, kind, family, matters, weight, local: true, ms: 0 };
    return observation === undefined
      ? { ...run, state: "empty" }
      : { ...run, state: "answered", observation };
  }

  return {
    async find(set, address, telling) {
      const told = tellAsLabelled(set, address, Date.parse(SURVEYED_AT), telling);
      if (told === undefined) return undefined;
      const runs = await Promise.all(tables.map((source) => ask(source, address)));
      return mergeEvidence({
        address: address.text,
        version: address.version,
        surveyedAt: SURVEYED_AT,
        runs: [...runs, ...told.runs],
      });
    },
    close: () => client.close(),
  };
}
