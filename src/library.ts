/**
 * The library: `import { openTables, judge } from "limpid"`. It judges addresses by the local tables alone, at once: no
 * query, no database. It runs under Bun, and under Node from version 22.15 on; see docs/api/library.md.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openDatasets } from "#datasets";
import { FEEDS, type Feed, listTurnedOff, openFeeds, openSnapshot } from "#feeds";
import { createTableClassifier, describeFacts } from "#lookup";
import { createTableSurvey, SOURCES } from "#sources";

// The types name nothing of other files, so that the package needs only the declarations of this one.

/** What the tables know about an address: the fields of a row of `/api/classify`. */
export interface Judgement {
  /** The address in canonical form. */
  readonly ip: string;
  readonly usageType:
    | "residential"
    | "business"
    | "hosting"
    | "mobile"
    | "education"
    | "government"
    | "unknown";
  readonly asn: number | null;
  readonly asName: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** The flags that are true. */
  readonly flags: readonly (
    | "isProxy"
    | "isVpn"
    | "isTor"
    | "isHosting"
    | "isMobile"
    | "isRelay"
    | "isBogon"
    | "isSearchEngineBot"
  )[];
  /** 0 to 100, higher is cleaner. Without live sources it is never far above 50. */
  readonly purity: number;
  /** The share of the expected evidence that the tables give, 0 to 1. */
  readonly coverage: number;
  /** The purity below which 95 % of such addresses do not fall with all evidence. */
  readonly range: number;
  readonly confidence: "high" | "medium" | "low";
  /** What the block of a special-purpose address is for. */
  readonly purpose?: string;
}

/** Which tables to open. */
export interface TablesOptions {
  /** The data folder of a limpid service: its downloaded lists take the place of the snapshot. Bun only. */
  readonly dataDirectory?: string;
  /** Sources and lists to leave out, by id. */
  readonly off?: readonly string[];
}

/** Opened tables, about 60 MB of memory. */
export interface Tables {
  /** Judges an IPv4 or IPv6 address; undefined for a text that is not one. */
  readonly judge: (address: string) => Judgement | undefined;
}

/**
 * Opens the embedded tables and the snapshot of lists.
 * @throws {Error} when a file of the package is missing or damaged.
 */
export function openTables({ dataDirectory, off = [] }: TablesOptions = {}): Tables {
  const seed = fileURLToPath(new URL("../seed", import.meta.url));
  const snapshot = openSnapshot(seed);
  if (snapshot.problem !== undefined) throw new Error(snapshot.problem);
  const directory = join(dataDirectory ?? seed, "feeds");
  const feeds = openFeeds({ directory, feeds: FEEDS, snapshot, now: Date.now });
  const datasets = openDatasets({ directory: seed, feeds });
  const broken = datasets.states().find(({ ready }) => !ready);
  if (broken !== undefined)
    throw new Error(`Cannot use table "${broken.id}": ${broken.problem ?? "it is missing"}`);
  // A service downloads a list that has terms only when its operator accepted them.
  const hasTerms = (list: Feed) => list.noncommercial === true || list.needsContact === true;
  const accepted = FEEDS.filter((list) => !hasTerms(list) || feeds.state(list.id).freshness !== "absent");
  const absent = listTurnedOff({ ...feeds, feeds: accepted }, { downloads: false });
  const settings = {
    allowNoncommercial: accepted.some((list) => list.noncommercial === true),
    ...(accepted.some((list) => list.needsContact === true) ? { contact: "" } : {}),
    off: new Set([...off, ...absent]),
    secrets: new Map(),
  };
  const classifier = createTableClassifier(createTableSurvey(SOURCES, { datasets, settings, now: Date.now }));
  return {
    judge(address) {
      const classified = classifier.classifyText(address);
      return classified && { ip: classified.ip, ...describeFacts(classified.facts) };
    },
  };
}

/** Judges an address by opened tables; undefined for a text that is not an address. */
export function judge(tables: Tables, address: string): Judgement | undefined {
  return tables.judge(address);
}
