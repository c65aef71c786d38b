import type { Prefix } from "#address";
import { createRecentMap } from "#lookup";
import type { AsSummary, NetworkSummary } from "#report";
import { type AsIndex, buildAsIndex } from "./as_index.ts";
import type { NetworkSources } from "./count_lists.ts";
import { summarizeAs } from "./summarize_as.ts";
import { summarizePrefix } from "./summarize_prefix.ts";

/** Summaries kept; each has at most 256 cells, about 30 kB. */
const MOST_KEPT = 200;

/** Summaries of prefixes and AS from the tables and lists alone. */
export interface Networks {
  prefix(prefix: Prefix): NetworkSummary;
  /** Undefined for an AS that nobody announces. The first question after a change of the tables takes longer. */
  as(asn: number): Promise<AsSummary | undefined | "unavailable">;
  /** Increases when the tables may say something else than before. */
  version(): number;
}

/** Creates the summaries, and keeps those that were asked last while the tables stay the same. */
export function createNetworks(
  sources: NetworkSources & { readonly version: () => number; readonly pause: () => Promise<void> },
): Networks {
  const prefixes = createRecentMap<string, NetworkSummary>(MOST_KEPT);
  const systems = createRecentMap<number, AsSummary>(MOST_KEPT);
  let version = sources.version();
  let index: Promise<AsIndex | undefined> | undefined;

  function checkTables(): void {
    const current = sources.version();
    if (current === version) return;
    version = current;
    prefixes.clear();
    systems.clear();
    index = undefined;
  }

  return {
    version: sources.version,
    prefix(prefix) {
      checkTables();
      const known = prefixes.get(prefix.text);
      if (known !== undefined) return known;
      const summary = summarizePrefix(prefix, sources);
      prefixes.set(prefix.text, summary);
      return summary;
    },
    async as(asn) {
      checkTables();
      const known = systems.get(asn);
      if (known !== undefined) return known;
      index ??= buildAsIndex(sources.datasets, sources.pause);
      const started = version;
      const found = await index;
      if (found === undefined) return "unavailable";
      const summary = summarizeAs(asn, found, sources);
      if (summary !== undefined && started === version) systems.set(asn, summary);
      return summary;
    },
  };
}
