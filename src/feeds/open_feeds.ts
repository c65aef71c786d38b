import { hash } from "node:crypto";
import type { Address } from "#address";
import {
  type DownloadedData,
  type FeedState,
  isFresh,
  type ListEntry,
  type RangeTable,
  type TableId,
  type TableValues,
} from "#datasets";
import { DAMAGED_DOWNLOAD } from "./compile/compile_job.ts";
import type { FeedReading } from "./compile/compile_lists.ts";
import type { Compiler } from "./compile/compiler.ts";
import {
  type DownloadedTable,
  type ListTables,
  openFeedTable,
  openListTables,
  readFeedTable,
  readListContents,
  readListTables,
} from "./compile/table_files.ts";
import { FeedCache } from "./download/feed_cache.ts";
import { type Feed, isFeedExpired, type TableFeed } from "./feed.ts";
import type { ShippedList, Snapshot } from "./snapshot/open_snapshot.ts";

/** The `problem` of a feed without a usable download, if a server downloads it, and if none does; `error` = it failed. */
export const NOT_DOWNLOADED = "not downloaded yet";
export const NOT_HERE = "not on this machine";

/**
 * The downloaded lists and tables of a process, the snapshot behind them, and the state of every feed. It can stand for
 * the {@link DownloadedData} of the datasets.
 */
export type Feeds = ReturnType<typeof openFeeds>;

/** The result of a rebuild: the readings of all lists, rows of the lists, bytes of all tables. */
export interface RebuildResult {
  readonly readings: readonly FeedReading[];
  readonly rows: number;
  readonly bytes: number;
  /** Why the tables are only in memory. */
  readonly unwritten?: string;
}

/** Must be increased when the same downloads result in other tables. */
const REVISION = 2;
/** Age in cadences up to which data is fresh. */
const FRESH_CADENCES = 2;

type Entries = readonly ListEntry[] | undefined;

/**
 * Lists the ids of lists that count as turned off: none ships, and nothing downloads it or ever tried. A list whose
 * download failed or was refused counts as failed, and so does every missing list of an instance that downloads lists.
 */
export function listTurnedOff(
  { feeds, state }: Pick<Feeds, "feeds" | "state">,
  { downloads }: { readonly downloads: boolean },
): readonly string[] {
  if (downloads) return [];
  const states = feeds.map(({ id }) => state(id));
  return states.flatMap(({ id, freshness, error }) =>
    freshness === "absent" && error === undefined ? [id] : [],
  );
}

/** Opens the feeds in `directory`. Never throws: tables that cannot be used count as absent and are compiled again. */
export function openFeeds(options: {
  readonly directory: string;
  readonly feeds: readonly Feed[];
  readonly tables?: readonly TableFeed[];
  /** The lists that ship with the program; each is used until its feed has a good download. */
  readonly snapshot?: Snapshot;
  /** A server downloads them: a missing list is not there yet. */
  readonly downloads?: boolean;
  readonly now: () => number;
}) {
  const { directory, feeds, now, snapshot } = options;
  const tableFeeds = options.tables ?? [];
  const absence = options.downloads === true ? NOT_DOWNLOADED : NOT_HERE;
  const cache = new FeedCache(directory);
  const byId = new Map<string, Feed | TableFeed>([...feeds, ...tableFeeds].map((feed) => [feed.id, feed]));
  const downloaded = new Map<TableId, DownloadedTable>();
  for (const feed of tableFeeds) {
    const table = readFeedTable(directory, feed);
    if (table !== undefined) downloaded.set(feed.table, table);
  }
  let listTables = readListTables(directory);
  let revision = 0;
  // An AS number is looked up as an IPv4 address; one object for all lookups.
  const words = [0];
  const asnAddress: Address = { text: "", version: 4, words };

  function fileNames(id: string): readonly string[] | undefined {
    return cache.record(id).good?.files.map((file) => file.name);
  }

  /** The origin of the table that the cached download gives; undefined = there is no download. */
  function tableOrigin(feed: TableFeed): string | undefined {
    const names = fileNames(feed.id);
    return names === undefined ? undefined : `${names.join(" ")}, revision ${feed.revision}`;
  }

  /** The origin of the list tables that the cached downloads give. File names are made from contents, so it is exact. */
  function listOrigin(): string {
    const parts = feeds.map((feed) => [feed.id, fileNames(feed.id)]);
    const contents = hash("sha1", JSON.stringify(parts)).slice(0, 16);
    return `feeds ${contents}, revision ${REVISION}`;
  }

  function isTableCurrent(feed: TableFeed): boolean {
    const origin = tableOrigin(feed);
    return origin === undefined || downloaded.get(feed.table)?.origin === origin;
  }

  function areListsCurrent(): boolean {
    if (listTables !== undefined) return listTables.origin === listOrigin();
    return feeds.every((feed) => cache.record(feed.id).good === undefined);
  }

  /** Describes the download of a feed alone, without the snapshot. */
  function describeDownload(feed: Feed | TableFeed): Pick<FeedState, "ready" | "problem"> & {
    readonly freshness: "fresh" | "ageing" | "expired" | "absent";
  } {
    const { id } = feed;
    const { good, error } = cache.record(id);
    if (good === undefined) {
      const problem = error?.reason === "implausible" ? "refused: covers too much" : absence;
      return { ready: false, freshness: "absent", problem };
    }
    const nowMs = now();
    if (isFeedExpired(feed, good, nowMs) && !isKept(id, good.checkedAt)) {
      return { ready: false, freshness: "expired", problem: "data too old" };
    }
    const freshness = isFresh(nowMs - good.checkedAt, FRESH_CADENCES * feed.cadenceMs) ? "fresh" : "ageing";
    if ("table" in feed ? downloaded.has(feed.table) : listTables?.feeds.has(id) === true)
      return { ready: true, freshness };
    return { ready: false, freshness, problem: "not compiled yet" };
  }

  /** A download that is newer than the snapshot of its list is kept for as long as the snapshot would be. */
  function isKept(id: string, checkedAt: number): boolean {
    const list = snapshot?.list(id);
    return list !== undefined && checkedAt >= list.dateMs && now() - checkedAt <= list.keepMs;
  }

  /** Gives the list of the snapshot that is used for a feed: only while no download of it can be used. */
  function findSnapshot(id: string): ShippedList | undefined {
    const list = snapshot?.list(id);
    if (list === undefined || now() - list.dateMs > list.keepMs) return undefined;
    const feed = byId.get(id);
    return feed === undefined || describeDownload(feed).ready ? undefined : list;
  }

  function state(id: string): FeedState {
    const { good, error, dueAt } = cache.record(id);
    const feed = byId.get(id);
    const attempt = { ...(dueAt === 0 ? {} : { dueAt }), ...(error === undefined ? {} : { error }) };
    const list = findSnapshot(id);
    if (list !== undefined) {
      const { date, dateMs, ipv4, ipv6 } = list;
      const ageMs = Math.max(0, now() - dateMs);
      return { id, ready: true, freshness: "snapshot", date, ageMs, rows: ipv4 + ipv6, ...attempt };
    }
    const own: Pick<FeedState, "ready" | "freshness" | "problem"> =
      feed === undefined
        ? { ready: false, freshness: "absent", problem: "turned off" }
        : describeDownload(feed);
    // Without a download, a snapshot that is there and not used is too old.
    const isOld = own.freshness === "absent" && feed !== undefined && snapshot?.list(id) !== undefined;
    return {
      id,
      ...own,
      ...(isOld && error?.reason === undefined
        ? { freshness: "expired", problem: "the snapshot is too old" }
        : {}),
      ...attempt,
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
  }

  /**
   * The entries of the last lookup. The sources of all lists look up one address, one after the other, so each address
   * is put together once.
   */
  let last: {
    readonly address: Address;
    readonly tables: ListTables | undefined;
    readonly entries: Entries;
  } = { address: { text: "", version: 4, words: [] }, tables: undefined, entries: undefined };

  /** Puts together what the downloads and the snapshot say: of each feed, only the one that is used. */
  function findEntries(address: Address): Entries {
    const own = listTables?.lists.find(address);
    if (snapshot === undefined) return own;
    if (last.address === address && last.tables === listTables) return last.entries;
    const shipped = snapshot.lists(address)?.filter(({ feed }) => findSnapshot(feed) !== undefined) ?? [];
    const isUnused = ({ feed }: ListEntry) => findSnapshot(feed) !== undefined;
    const kept = own?.some(isUnused) === true ? own.filter((entry) => !isUnused(entry)) : own;
    const entries = shipped.length === 0 ? kept : [...(kept ?? []), ...shipped];
    last = { address, tables: listTables, entries };
    return entries;
  }

  async function rebuildLists(compiler: Compiler): Promise<Omit<RebuildResult, "rows">> {
    const compile = (origin: string) =>
      compiler.run({
        kind: "compile",
        directory,
        origin,
        nowMs: now(),
        downloads: feeds.flatMap((feed) => {
          const { good } = cache.record(feed.id);
          return good === undefined ? [] : [cache.locate(feed.id, good.files)];
        }),
      });
    let origin = listOrigin();
    let made = await compile(origin);
    const refused = made.readings.flatMap((reading) =>
      !reading.good && (reading.problem === DAMAGED_DOWNLOAD || reading.reason !== undefined)
        ? [reading]
        : [],
    );
    if (refused.length > 0) {
      // The origin names only feeds in the tables. Otherwise a feed that is missing in them would never be compiled.
      for (const { id, problem, reason } of refused)
        cache.forget(id, reason === undefined ? undefined : { at: now(), problem, reason });
      origin = listOrigin();
      made = await compile(origin);
    }
    const { lists, networks, readings, unwritten } = made;
    const good = readings.flatMap((reading) => (reading.good ? [reading.id] : []));
    listTables = openListTables(directory, { origin, feeds: good }, { lists, networks });
    revision += 1;
    return {
      readings: [...readings, ...refused],
      bytes: lists.length + networks.length,
      ...(unwritten === undefined ? {} : { unwritten }),
    };
  }

  /** Compiles the table of one feed; gives nothing when there is no download, or its files are damaged. */
  async function rebuildTable(
    compiler: Compiler,
    feed: TableFeed,
  ): Promise<Pick<RebuildResult, "bytes" | "unwritten"> | undefined> {
    const { good } = cache.record(feed.id);
    const origin = tableOrigin(feed);
    if (good === undefined || origin === undefined) return undefined;
    try {
      const { bytes, unwritten } = await compiler.run({
        kind: "table",
        download: cache.locate(feed.id, good.files),
        directory,
        origin,
        nowMs: good.fetchedAt,
      });
      downloaded.set(feed.table, openFeedTable(directory, feed, { bytes, origin }));
      revision += 1;
      return { bytes: bytes.length, ...(unwritten === undefined ? {} : { unwritten }) };
    } catch (error) {
      if (!String(error).includes(DAMAGED_DOWNLOAD)) throw error;
      cache.forget(feed.id);
      return undefined;
    }
  }

  return {
    /** Lists, and the downloads that replace the seed of a table. */
    feeds,
    tables: tableFeeds,
    cache,
    // The table of an id was read with the decoder of that id.
    table: <Id extends TableId>(id: Id) =>
      downloaded.get(id)?.table as RangeTable<TableValues[Id]> | undefined,
    isPartial(id: TableId): boolean {
      const feed = tableFeeds.find((one) => one.table === id);
      return feed !== undefined && (fileNames(feed.id)?.length ?? feed.files.length) < feed.files.length;
    },
    revision: () => revision,
    lists: findEntries,
    listTables: () => [
      ...(listTables === undefined
        ? []
        : [{ table: listTables.lists, isUsed: (id: string) => findSnapshot(id) === undefined }]),
      ...(snapshot?.table === undefined
        ? []
        : [{ table: snapshot.table, isUsed: (id: string) => findSnapshot(id) !== undefined }]),
    ],
    asClasses(asn: number) {
      words[0] = asn >>> 0;
      return listTables?.networks.find(asnAddress);
    },
    state,
    /** Whether the tables are made from the downloads that are in the cache now. */
    isCurrent: () => areListsCurrent() && tableFeeds.every(isTableCurrent),
    /** Reads the tables again when another process has compiled newer ones. */
    reload(): void {
      const contents = readListContents(directory);
      if (contents === undefined || contents.origin === listTables?.origin) return;
      for (const id of byId.keys()) cache.reload(id);
      if (contents.origin === listOrigin()) listTables = readListTables(directory) ?? listTables;
      revision += 1;
    },
    /**
     * Compiles the downloads in the cache and replaces the tables; until then lookups use the old ones.
     * @throws {DatasetError} when they cannot be compiled; the old ones then stay.
     */
    async rebuild(compiler: Compiler): Promise<RebuildResult> {
      const isDue = !areListsCurrent() || listTables === undefined;
      const nothing: Omit<RebuildResult, "rows"> = { readings: [], bytes: 0 };
      const lists = isDue ? await rebuildLists(compiler) : nothing;
      let { bytes, unwritten } = lists;
      for (const feed of tableFeeds.filter((one) => !isTableCurrent(one))) {
        const table = await rebuildTable(compiler, feed);
        bytes += table?.bytes ?? 0;
        unwritten ??= table?.unwritten;
      }
      return {
        readings: lists.readings,
        rows: listTables?.lists.facts.rows ?? 0,
        bytes,
        ...(unwritten === undefined ? {} : { unwritten }),
      };
    },
  };
}
