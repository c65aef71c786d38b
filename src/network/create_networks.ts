import type { Prefix } from "#address";
import { createRecentMap } from "#common";
import type { Pace } from "#concurrency";
import type { AsSummary, NetworkSummary } from "#report";
import { type AsIndex, buildAsIndex } from "./as_index.ts";
import type { NetworkSources } from "./count_network.ts";
import { summarizeAs } from "./summarize_as.ts";
import { summarizePrefix } from "./summarize_prefix.ts";

/** Summaries kept: of prefixes, each at most 256 cells, about 30 kB; of AS, each at most 2000 blocks, about 100 kB. */
const MOST_KEPT = { prefixes: 200, systems: 50 } as const;

/** Summaries of prefixes and AS from the tables and lists alone. */
export type Networks = ReturnType<typeof createNetworks>;

/**
 * Creates the summaries, and keeps those that were asked last while the tables and the corrections stay the same. With a
 * `pace` they are made one after another.
 */
export function createNetworks(
  sources: NetworkSources & { readonly version: () => number; readonly pace?: Pace },
) {
  const { pace, classifier } = sources;
  const run: Pace["run"] = async (work) => (pace === undefined ? work() : pace.run(work));
  const rest = async () => pace?.rest();
  const prefixes = createRecentMap<string, NetworkSummary>(MOST_KEPT.prefixes);
  const systems = createRecentMap<number, AsSummary>(MOST_KEPT.systems);
  let version = classifier.version();
  let tablesVersion = sources.version();
  let index: Promise<AsIndex | undefined> | undefined;

  function checkTables(): void {
    if (classifier.version() === version) return;
    version = classifier.version();
    prefixes.clear();
    systems.clear();
    if (sources.version() === tablesVersion) return;
    tablesVersion = sources.version();
    index = undefined;
  }

  function prefixNow(prefix: Prefix): NetworkSummary {
    checkTables();
    const summary = prefixes.get(prefix.text) ?? summarizePrefix(prefix, sources);
    prefixes.set(prefix.text, summary);
    return summary;
  }

  async function makeAs(asn: number): Promise<AsSummary | undefined | "unavailable"> {
    index ??= buildAsIndex(sources.datasets, rest);
    const started = version;
    const found = await index;
    if (found === undefined) return "unavailable";
    const summary = summarizeAs(asn, found, sources);
    if (summary !== undefined && started === version) systems.set(asn, summary);
    return summary;
  }

  return {
    /** The summary at once, for the neighbours of an address. */
    prefix: prefixNow,
    /** The summary of any prefix, when its turn comes; `unavailable` when too many others wait. */
    async prefixInTurn(prefix: Prefix): Promise<NetworkSummary | "unavailable"> {
      checkTables();
      return prefixes.get(prefix.text) ?? (await run(() => prefixNow(prefix))) ?? "unavailable";
    },
    /**
     * Undefined for an AS that nobody announces; `unavailable` without tables, or when too many others wait. The first
     * question after a change of the tables takes longer.
     */
    async as(asn: number): Promise<AsSummary | undefined | "unavailable"> {
      checkTables();
      const known = systems.get(asn);
      if (known !== undefined) return known;
      const made = await run(async () => ({ summary: await makeAs(asn) }));
      return made === undefined ? "unavailable" : made.summary;
    },
  };
}
