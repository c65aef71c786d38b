import { totalmem } from "node:os";
import type { Config } from "#config";
import { FEEDS, type Feed, TABLE_FEEDS, type TableFeed } from "#feeds";

/** The feeds that may be downloaded, and why the others may not, by id. */
export interface ChosenFeeds {
  readonly feeds: readonly Feed[];
  readonly tables: readonly TableFeed[];
  readonly left: ReadonlyMap<string, LeftOut>;
}

export type LeftOut = "turned off" | "non-commercial" | "needs LIMPID_CONTACT" | "needs more memory";

/** Everything that can be downloaded. */
export interface AllFeeds {
  readonly feeds: readonly Feed[];
  readonly tables: readonly TableFeed[];
}

export const ALL_FEEDS: AllFeeds = { feeds: FEEDS, tables: TABLE_FEEDS };

/** Memory this process may use: the machine's, or less where its container says so. */
function measureMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

/** Chooses feeds as the operator, their publishers' terms and the machine's memory want it. */
export function chooseFeeds(
  config: Pick<Config, "sourcesOff" | "allowNoncommercial" | "contact">,
  all: AllFeeds = ALL_FEEDS,
  memoryBytes = measureMemory(),
): ChosenFeeds {
  const left = new Map<string, LeftOut>();
  for (const { id } of [...all.feeds, ...all.tables]) {
    if (config.sourcesOff.has(id)) left.set(id, "turned off");
  }
  for (const feed of all.feeds) {
    if (left.has(feed.id)) continue;
    if (feed.noncommercial === true && !config.allowNoncommercial) left.set(feed.id, "non-commercial");
    else if (feed.needsContact === true && config.contact === undefined) {
      left.set(feed.id, "needs LIMPID_CONTACT");
    }
  }
  for (const { id, needsMemoryBytes = 0 } of all.tables) {
    if (!left.has(id) && memoryBytes < needsMemoryBytes) left.set(id, "needs more memory");
  }
  return {
    feeds: all.feeds.filter((feed) => !left.has(feed.id)),
    tables: all.tables.filter((feed) => !left.has(feed.id)),
    left,
  };
}
