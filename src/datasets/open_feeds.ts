import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { Address } from "#address";
import type { Compiler } from "./compile_in_worker.ts";
import { DAMAGED_DOWNLOAD, OLD_SUFFIX, TABLE_FILES } from "./compile_job.ts";
import { type FeedReading, LISTS_TABLE, NETWORKS_TABLE } from "./compile_lists.ts";
import { DatasetError } from "./dataset_error.ts";
import type { TableId } from "./datasets.ts";
import { FeedShelf } from "./feed_shelf.ts";
import type { FeedState } from "./feed_state.ts";
import type { Feed } from "./feeds/feed.ts";
import type { TableFeed } from "./feeds/table_feed.ts";
import { isFeedExpired } from "./is_feed_expired.ts";
import { type ListEntry, type NetworkEntry, parseListEntries, parseNetworkEntries } from "./list_entry.ts";
import { locateDownload } from "./locate_download.ts";
import type { RangeTable } from "./range_table.ts";
import { readTable } from "./read_table.ts";
import { TABLE_DECODERS, type TableValues } from "./table_values.ts";

/** The downloaded lists of a process: their compiled tables, and what is known of every feed. */
export interface Feeds {
  /** Lists, and the downloads that replace the seed of a table. */
  readonly feeds: readonly Feed[];
  readonly tables: readonly TableFeed[];
  readonly shelf: FeedShelf;
  /** What all lists say about the address: one array shared by all who ask; undefined = nothing. */
  lists(address: Address): readonly ListEntry[] | undefined;
  /** What all lists say about the autonomous system. */
  asClasses(asn: number): readonly NetworkEntry[] | undefined;
  /** The table that was downloaded in the place of the seed, if any. */
  table<Id extends TableId>(id: Id): RangeTable<TableValues[Id]> | undefined;
  state(id: string): FeedState;
  /** Whether the tables are made of the downloads that are on the shelf now. */
  isCurrent(): boolean;
  /** Takes over tables that another process has compiled since. */
  reload(): void;
  /**
   * Compiles the downloads on the shelf and swaps the tables; requests meanwhile see the old ones.
   * @throws {DatasetError} when they cannot be compiled; the old ones then stay.
   */
  rebuild(compiler: Compiler): Promise<{
    readonly readings: readonly FeedReading[];
    readonly rows: number;
    readonly bytes: number;
    readonly unwritten?: string;
  }>;
}

/** Raised when the same downloads would be compiled into something else. */
const REVISION = 2;
const FRESH_CADENCES = 2;

const ContentsSchema = v.object({ origin: v.string(), feeds: v.array(v.string()) });

interface Tables {
  readonly origin: string;
  readonly feeds: ReadonlySet<string>;
  readonly lists: RangeTable<readonly ListEntry[]>;
  readonly networks: RangeTable<readonly NetworkEntry[]>;
}

/** Opens the feeds in `directory`. Never throws: tables that cannot be used are none, and due to be compiled. */
export function openFeeds(options: {
  readonly directory: string;
  readonly feeds: readonly Feed[];
  readonly tables?: readonly TableFeed[];
  readonly now: () => number;
}): Feeds {
  const { directory, feeds, now } = options;
  const tableFeeds = options.tables ?? [];
  const shelf = new FeedShelf(directory);
  const byId = new Map<string, Feed | TableFeed>([...feeds, ...tableFeeds].map((feed) => [feed.id, feed]));
  const downloaded = new Map<TableId, DownloadedTable>();
  for (const feed of tableFeeds) adoptTable(feed, readDownloadedTable(directory, feed));
  let tables = readTables(directory);
  // One object the table can be asked with, because an AS number is no address.
  const words = [0];
  const probe: Address = { text: "", version: 4, words };

  function adoptTable(feed: TableFeed, table: DownloadedTable | undefined): void {
    if (table !== undefined) downloaded.set(feed.table, table);
  }

  /** What the table of a download that is on the shelf is made of; undefined = there is none. */
  function makeOf(feed: TableFeed): string | undefined {
    const names = shelf.record(feed.id).good?.files.map((file) => file.name);
    return names === undefined ? undefined : `${names.join(" ")}, revision ${feed.revision}`;
  }

  function isTableCurrent(feed: TableFeed): boolean {
    const made = makeOf(feed);
    return made === undefined || downloaded.get(feed.table)?.made === made;
  }

  function areListsCurrent(): boolean {
    if (tables !== undefined) return tables.origin === fingerprint();
    return feeds.every((feed) => shelf.record(feed.id).good === undefined);
  }

  /** Names follow from contents, so this stands for everything the tables are made of. */
  function fingerprint(): string {
    const parts = feeds.map((feed) => [feed.id, shelf.record(feed.id).good?.files.map((file) => file.name)]);
    const hash = Bun.hash.xxHash3(JSON.stringify(parts)).toString(16).padStart(16, "0");
    return `feeds ${hash}, revision ${REVISION}`;
  }

  function describeState(id: string): Pick<FeedState, "ready" | "freshness" | "problem"> {
    const feed = byId.get(id);
    if (feed === undefined) return { ready: false, freshness: "absent", problem: "turned off" };
    const { good, error } = shelf.record(id);
    if (good === undefined) {
      const problem = error?.reason === "implausible" ? "refused: covers too much" : "not downloaded yet";
      return { ready: false, freshness: "absent", problem };
    }
    const nowMs = now();
    if (isFeedExpired(feed, good, nowMs)) {
      return { ready: false, freshness: "expired", problem: "data too old" };
    }
    const freshness = nowMs - good.checkedAt > FRESH_CADENCES * feed.cadenceMs ? "ageing" : "fresh";
    if ("table" in feed ? downloaded.has(feed.table) : tables?.feeds.has(id) === true)
      return { ready: true, freshness };
    return { ready: false, freshness, problem: "not compiled yet" };
  }

  return {
    feeds,
    tables: tableFeeds,
    shelf,
    // What is kept under a table's id was read with that table's decoder.
    table: <Id extends TableId>(id: Id) =>
      downloaded.get(id)?.table as RangeTable<TableValues[Id]> | undefined,
    lists: (address) => tables?.lists.find(address),
    asClasses(asn) {
      words[0] = asn >>> 0;
      return tables?.networks.find(probe);
    },
    state(id) {
      const { good, error, dueAt } = shelf.record(id);
      return {
        id,
        ...describeState(id),
        ...(dueAt === 0 ? {} : { dueAt }),
        ...(error === undefined ? {} : { error }),
        ...(good === undefined
          ? {}
          : {
              ageMs: Math.max(0, now() - good.checkedAt),
              date: good.date ?? new Date(good.fetchedAt).toISOString().slice(0, 10),
              rows: good.rows,
              stripped: good.stripped,
              bytes: good.files.reduce((sum, file) => sum + file.bytes, 0),
              fetchedAt: good.fetchedAt,
            }),
      };
    },
    isCurrent: () => areListsCurrent() && tableFeeds.every(isTableCurrent),
    reload() {
      const contents = readContents(directory);
      if (contents === undefined || contents.origin === tables?.origin) return;
      for (const id of byId.keys()) shelf.reload(id);
      if (contents.origin === fingerprint()) tables = readTables(directory) ?? tables;
    },
    async rebuild(compiler) {
      let readings: readonly FeedReading[] = [];
      let bytes = 0;
      let unwritten: string | undefined;
      if (!areListsCurrent() || tables === undefined) {
        const compile = (origin: string) =>
          compiler.run({
            kind: "compile",
            directory,
            origin,
            nowMs: now(),
            downloads: feeds.flatMap((feed) => {
              const { good } = shelf.record(feed.id);
              return good === undefined ? [] : [locateDownload(feed.id, good.files, shelf)];
            }),
          });
        let origin = fingerprint();
        let made = await compile(origin);
        const refused = made.readings.flatMap((reading) =>
          !reading.good && (reading.problem === DAMAGED_DOWNLOAD || reading.reason !== undefined)
            ? [reading]
            : [],
        );
        if (refused.length > 0) {
          // The tables' origin must not name what is not in them, or they would never be made anew with it.
          for (const { id, problem, reason } of refused)
            shelf.forget(id, reason === undefined ? undefined : { at: now(), problem, reason });
          origin = fingerprint();
          made = await compile(origin);
        }
        const good = made.readings.flatMap((reading) => (reading.good ? [reading.id] : []));
        tables = takeTables({ origin, feeds: good }, made.lists, made.networks, directory);
        readings = [...made.readings, ...refused];
        bytes += made.lists.length + made.networks.length;
        unwritten ??= made.unwritten;
      }
      for (const feed of tableFeeds.filter((one) => !isTableCurrent(one))) {
        const { good } = shelf.record(feed.id);
        const made = makeOf(feed);
        if (good === undefined || made === undefined) continue;
        const { path, madePath } = locateTable(directory, feed);
        const result = await compiler
          .run({
            kind: "table",
            download: locateDownload(feed.id, good.files, shelf),
            nowMs: good.fetchedAt,
            path,
            madePath,
            made,
          })
          .catch((error: unknown) => {
            if (!String(error).includes(DAMAGED_DOWNLOAD)) throw error;
            shelf.forget(feed.id);
          });
        if (result === undefined) continue;
        bytes += result.bytes.length;
        unwritten ??= result.unwritten;
        adoptTable(feed, { made, table: readFeedTable(result.bytes, path, feed) });
      }
      const rows = tables.lists.facts.rows;
      return { readings, rows, bytes, ...(unwritten === undefined ? {} : { unwritten }) };
    },
  };
}

/** A downloaded table, and the files it was made of. */
interface DownloadedTable {
  readonly made: string;
  readonly table: RangeTable<TableValues[TableId]>;
}

function locateTable(
  directory: string,
  feed: TableFeed,
): { readonly path: string; readonly madePath: string } {
  const folder = join(directory, feed.id);
  return { path: join(folder, `${feed.table}.table`), madePath: join(folder, "made.json") };
}

function readFeedTable(
  bytes: Uint8Array<ArrayBuffer>,
  path: string,
  { table }: TableFeed,
): DownloadedTable["table"] {
  return readTable<TableValues[TableId]>(bytes, path, { id: table, decode: TABLE_DECODERS[table] });
}

/** A table without the word on what it was made of is used, and due to be made again. */
function readDownloadedTable(directory: string, feed: TableFeed): DownloadedTable | undefined {
  const { path, madePath } = locateTable(directory, feed);
  try {
    const table = readFeedTable(new Uint8Array(readFileSync(path)), path, feed);
    return { table, made: readMade(madePath) ?? "" };
  } catch {
    return undefined;
  }
}

function readMade(path: string): string | undefined {
  try {
    return v.parse(v.object({ made: v.string() }), JSON.parse(readFileSync(path, "utf8"))).made;
  } catch {
    return undefined;
  }
}

function readContents(directory: string, suffix = ""): v.InferOutput<typeof ContentsSchema> | undefined {
  try {
    const path = join(directory, TABLE_FILES.contents + suffix);
    return v.parse(ContentsSchema, JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}

/** The tables in their places, or those of the last make where a process died while it replaced them. */
function readTables(directory: string): Tables | undefined {
  return readMake(directory, "") ?? readMake(directory, OLD_SUFFIX);
}

function readMake(directory: string, suffix: string): Tables | undefined {
  const contents = readContents(directory, suffix);
  if (contents === undefined) return undefined;
  try {
    const read = (name: string) => new Uint8Array(readFileSync(join(directory, name + suffix)));
    return takeTables(contents, read(TABLE_FILES.lists), read(TABLE_FILES.networks), directory);
  } catch {
    return undefined;
  }
}

/** @throws {DatasetError} when one of them is not what its header says, or they are not of one make. */
function takeTables(
  contents: { readonly origin: string; readonly feeds: readonly string[] },
  lists: Uint8Array<ArrayBuffer>,
  networks: Uint8Array<ArrayBuffer>,
  directory: string,
): Tables {
  const { origin, feeds } = contents;
  const tables = {
    lists: readTable(lists, join(directory, TABLE_FILES.lists), {
      id: LISTS_TABLE,
      decode: parseListEntries,
    }),
    networks: readTable(networks, join(directory, TABLE_FILES.networks), {
      id: NETWORKS_TABLE,
      decode: parseNetworkEntries,
    }),
  };
  for (const table of Object.values(tables)) {
    if (table.facts.origin !== origin) {
      throw new DatasetError(`Cannot use table "${table.facts.file}": it is of another make`);
    }
  }
  return { ...tables, origin, feeds: new Set(feeds) };
}
