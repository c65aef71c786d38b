import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import {
  DatasetError,
  parseListEntries,
  parseNetworkEntries,
  type RangeTable,
  readTable,
  replaceFile,
  TABLE_DECODERS,
  type TableId,
  type TableValues,
} from "#datasets";
import type { TableFeed } from "../feed.ts";

export const LISTS_TABLE = "lists";
export const NETWORKS_TABLE = "networks";

/** The files of these tables, and the file that names the feeds in them; all three name one origin. */
const FILES = { lists: "lists.table", networks: "networks.table", contents: "tables.json" } as const;

/** Suffix of the files of the last build while those of the next one replace them. */
const OLD_SUFFIX = ".old";

const ContentsSchema = v.object({ origin: v.string(), feeds: v.array(v.string()) });

/** What the tables over all lists are made from: `origin` stands for all files, `feeds` are the feeds in the tables. */
export type ListContents = v.InferOutput<typeof ContentsSchema>;

/** The two tables over all lists, opened, and their contents. */
export type ListTables = Readonly<ReturnType<typeof openListTables>>;

/** A table that replaces the seed, and what it was made from. */
export interface DownloadedTable {
  readonly origin: string;
  readonly table: RangeTable<TableValues[TableId]>;
}

/** `unwritten` is the reason why files could not be written; the tables are then only in memory. */
export interface WriteResult {
  readonly unwritten?: string;
}

/** Writes the tables over all lists. Three files cannot be replaced in one step, so the old ones stay beside them. */
export function writeListTables(
  directory: string,
  contents: ListContents,
  tables: { readonly lists: Uint8Array; readonly networks: Uint8Array },
): WriteResult {
  keepOld(directory);
  const result = writeFiles([
    [join(directory, FILES.networks), tables.networks],
    [join(directory, FILES.lists), tables.lists],
    [join(directory, FILES.contents), encodeJson(contents)],
  ]);
  if (result.unwritten === undefined) removeOld(directory);
  return result;
}

/** Reads the tables over all lists; those of the last build if a process ended before it had replaced all files. */
export function readListTables(directory: string): ListTables | undefined {
  return readBuild(directory, "") ?? readBuild(directory, OLD_SUFFIX);
}

function readBuild(directory: string, suffix: string): ListTables | undefined {
  const contents = readListContents(directory, suffix);
  if (contents === undefined) return undefined;
  try {
    const read = (name: string) => new Uint8Array(readFileSync(join(directory, name + suffix)));
    return openListTables(directory, contents, { lists: read(FILES.lists), networks: read(FILES.networks) });
  } catch {
    return undefined;
  }
}

/** Reads what the tables in `directory` are made from; undefined when there are none. */
export function readListContents(directory: string, suffix = ""): ListContents | undefined {
  return readJson(join(directory, FILES.contents + suffix), ContentsSchema);
}

/** @throws {DatasetError} when a table does not match its header, or the tables are not from one build. */
export function openListTables(
  directory: string,
  { origin, feeds }: ListContents,
  bytes: { readonly lists: Uint8Array<ArrayBuffer>; readonly networks: Uint8Array<ArrayBuffer> },
) {
  const tables = {
    lists: readTable(bytes.lists, join(directory, FILES.lists), {
      id: LISTS_TABLE,
      decode: parseListEntries,
    }),
    networks: readTable(bytes.networks, join(directory, FILES.networks), {
      id: NETWORKS_TABLE,
      decode: parseNetworkEntries,
    }),
  };
  for (const table of Object.values(tables)) {
    if (table.facts.origin !== origin) {
      throw new DatasetError(`Cannot use table "${table.facts.file}": it is from another build`);
    }
  }
  return { ...tables, origin, feeds: new Set(feeds) };
}

/** Writes a table that replaces the seed, then the file that says what it was made from. */
export function writeFeedTable(
  directory: string,
  feed: TableFeed,
  made: { readonly bytes: Uint8Array; readonly origin: string },
): WriteResult {
  const { path, originPath } = locateTable(directory, feed);
  return writeFiles([
    [path, made.bytes],
    [originPath, encodeJson({ made: made.origin })],
  ]);
}

/** Reads the table that replaces the seed. Without the file that says what it was made from, its origin is empty. */
export function readFeedTable(directory: string, feed: TableFeed): DownloadedTable | undefined {
  const { path, originPath } = locateTable(directory, feed);
  try {
    const bytes = new Uint8Array(readFileSync(path));
    const origin = readJson(originPath, v.object({ made: v.string() }))?.made ?? "";
    return openFeedTable(directory, feed, { bytes, origin });
  } catch {
    return undefined;
  }
}

/** @throws {DatasetError} when the bytes are not the table. */
export function openFeedTable(
  directory: string,
  feed: TableFeed,
  made: { readonly bytes: Uint8Array<ArrayBuffer>; readonly origin: string },
): DownloadedTable {
  const wanted = { id: feed.table, decode: TABLE_DECODERS[feed.table] };
  const { path } = locateTable(directory, feed);
  return { origin: made.origin, table: readTable<TableValues[TableId]>(made.bytes, path, wanted) };
}

function locateTable(
  directory: string,
  feed: TableFeed,
): { readonly path: string; readonly originPath: string } {
  const folder = join(directory, feed.id);
  return { path: join(folder, `${feed.table}.table`), originPath: join(folder, "made.json") };
}

function readJson<const Schema extends v.GenericSchema>(path: string, schema: Schema) {
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}

/**
 * Keeps the files of the last build beside the new files until all new files are written, for a process that starts
 * meanwhile.
 */
function keepOld(directory: string): void {
  const place = (name: string) => join(directory, name);
  // Old files exist already: that build did not end, and the files beside them may be from two builds.
  if (existsSync(place(FILES.contents) + OLD_SUFFIX)) return;
  try {
    for (const name of [FILES.networks, FILES.lists, FILES.contents]) {
      rmSync(place(name) + OLD_SUFFIX, { force: true });
      linkSync(place(name), place(name) + OLD_SUFFIX);
    }
  } catch {
    // There are no files yet, or no links on this file system: then there is no fallback.
  }
}

function removeOld(directory: string): void {
  try {
    for (const name of [FILES.contents, FILES.lists, FILES.networks])
      rmSync(join(directory, name) + OLD_SUFFIX, { force: true });
  } catch {
    // An old file that cannot be removed does no harm.
  }
}

/** Writes files in this order and stops at the first that cannot be written. */
function writeFiles(files: readonly (readonly [path: string, bytes: Uint8Array])[]): WriteResult {
  try {
    for (const [path, bytes] of files) {
      mkdirSync(dirname(path), { recursive: true });
      replaceFile(path, bytes);
    }
    return {};
  } catch (error) {
    return { unwritten: error instanceof Error ? error.message : String(error) };
  }
}

function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}
