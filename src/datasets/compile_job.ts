import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  compileLists,
  describeRefusal,
  type FeedDownload,
  type FeedReading,
  inspectDownload,
} from "./compile_lists.ts";
import { compileTableFeed } from "./compile_table_feed.ts";
import { isDownloaded } from "./feed_shelf.ts";
import type { Feed } from "./feeds/feed.ts";
import { FeedError } from "./feeds/feed_error.ts";
import type { TableFeed } from "./feeds/table_feed.ts";
import { replaceFile } from "./replace_file.ts";

/** The files of the compiled tables, and the one that says which feeds are in them; all three name one origin. */
export const TABLE_FILES = {
  lists: "lists.table",
  networks: "networks.table",
  contents: "tables.json",
} as const;

/** What the files of the last make are called while those of the next take their places. */
export const OLD_SUFFIX = ".old";

/** What is said of a download whose files are not what was downloaded. */
export const DAMAGED_DOWNLOAD = "its files on disk are damaged";

/** A download by the places of its files. */
export interface DownloadOnDisk {
  readonly id: string;
  readonly files: readonly { readonly index: number; readonly url: string; readonly path: string }[];
}

/** The feeds whose readers a job may need: lists, and downloads that replace the seed of a table. */
export interface FeedReaders {
  readonly feeds: readonly Feed[];
  readonly tables: readonly TableFeed[];
}

/** Work on downloads that takes too long for the thread that answers requests. */
export type CompileJob =
  | { readonly kind: "inspect"; readonly download: DownloadOnDisk; readonly nowMs: number }
  | {
      readonly kind: "table";
      readonly download: DownloadOnDisk;
      readonly nowMs: number;
      /** Where the table is written, and the file that says what it was `made` of. */
      readonly path: string;
      readonly madePath: string;
      readonly made: string;
    }
  | {
      readonly kind: "compile";
      readonly downloads: readonly DownloadOnDisk[];
      /** Where the tables are written. */
      readonly directory: string;
      /** Stands for everything the tables are made of. */
      readonly origin: string;
      readonly nowMs: number;
    };

/** What came of it. `unwritten` says why the tables are in memory only. */
export type CompileResult =
  | { readonly kind: "inspect"; readonly reading: FeedReading }
  | { readonly kind: "table"; readonly bytes: Uint8Array<ArrayBuffer>; readonly unwritten?: string }
  | {
      readonly kind: "compile";
      readonly lists: Uint8Array<ArrayBuffer>;
      readonly networks: Uint8Array<ArrayBuffer>;
      readonly readings: readonly FeedReading[];
      readonly unwritten?: string;
    };

/** Does a job: everything in one go, blocking the thread. @throws when a table cannot be made. */
export async function runCompileJob(job: CompileJob, readers: FeedReaders): Promise<CompileResult> {
  switch (job.kind) {
    case "inspect":
      return { kind: "inspect", reading: await inspect(job.download, readers, job.nowMs) };
    case "table": {
      const { bytes } = await compileTableFeed(...readTableDownload(job.download, readers), job.nowMs);
      const made = new TextEncoder().encode(`${JSON.stringify({ made: job.made })}\n`);
      return {
        kind: "table",
        bytes,
        ...write([
          [job.path, bytes],
          [job.madePath, made],
        ]),
      };
    }
    case "compile":
      return compile(job, readers);
  }
}

async function inspect(download: DownloadOnDisk, readers: FeedReaders, nowMs: number): Promise<FeedReading> {
  const { id } = download;
  if (!readers.tables.some((feed) => feed.id === id)) {
    const found = readDownload(download, readers);
    return "problem" in found ? { ...found, good: false } : inspectDownload(found, nowMs);
  }
  try {
    const made = await compileTableFeed(...readTableDownload(download, readers), nowMs);
    const { ranges, stripped, date, extent } = made;
    return { id, good: true, rows: ranges.ipv4 + ranges.ipv6, stripped, malformed: 0, date, extent };
  } catch (error) {
    return { id, good: false, ...describeRefusal(error) };
  }
}

function compile(job: Extract<CompileJob, { kind: "compile" }>, readers: FeedReaders): CompileResult {
  const missing: FeedReading[] = [];
  function* downloads(): Generator<FeedDownload> {
    for (const one of job.downloads) {
      const download = readDownload(one, readers);
      if ("problem" in download) missing.push({ ...download, good: false });
      else yield download;
    }
  }
  const { lists, networks, readings } = compileLists(downloads(), job);
  const all = [...readings, ...missing];
  const contents = {
    origin: job.origin,
    feeds: all.flatMap((reading) => (reading.good ? [reading.id] : [])),
  };
  const place = (name: string) => join(job.directory, name);
  keepOld(place);
  const written = write([
    [place(TABLE_FILES.networks), networks],
    [place(TABLE_FILES.lists), lists],
    [place(TABLE_FILES.contents), new TextEncoder().encode(`${JSON.stringify(contents)}\n`)],
  ]);
  if (written.unwritten === undefined) removeOld(place);
  return { kind: "compile", lists, networks, readings: all, ...written };
}

/** Three files are not replaced in one step: until the last is, whoever starts finds the last make whole beside them. */
function keepOld(place: (name: string) => string): void {
  // There already: the making that put them aside never ended, and what stands in their places may be of two makes.
  if (existsSync(place(TABLE_FILES.contents) + OLD_SUFFIX)) return;
  try {
    for (const name of [TABLE_FILES.networks, TABLE_FILES.lists, TABLE_FILES.contents]) {
      rmSync(place(name) + OLD_SUFFIX, { force: true });
      linkSync(place(name), place(name) + OLD_SUFFIX);
    }
  } catch {
    // Nothing is there yet, or it cannot be linked to: then there is nothing to fall back on.
  }
}

function removeOld(place: (name: string) => string): void {
  try {
    for (const name of [TABLE_FILES.contents, TABLE_FILES.lists, TABLE_FILES.networks])
      rmSync(place(name) + OLD_SUFFIX, { force: true });
  } catch {
    // It is of use to nobody, and in nobody's way.
  }
}

/** Writes files in this order. What cannot be written is still of use in memory. */
function write(files: readonly (readonly [path: string, bytes: Uint8Array])[]): { unwritten?: string } {
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

/** @throws {FeedError} when a file is not what was downloaded; the file system's error when it cannot be read. */
function readFiles({ files }: DownloadOnDisk): FeedDownload["files"] {
  return files.map(({ path, ...file }) => {
    const bytes = readFileSync(path);
    if (!isDownloaded(basename(path), bytes)) throw new FeedError(DAMAGED_DOWNLOAD);
    return { ...file, bytes };
  });
}

/** @throws {FeedError} when there is no such feed; the file system's error when its files cannot be read. */
function readTableDownload(
  download: DownloadOnDisk,
  { tables }: FeedReaders,
): [feed: TableFeed, files: FeedDownload["files"]] {
  const feed = tables.find((one) => one.id === download.id);
  if (feed === undefined) throw new FeedError("there is no such feed");
  return [feed, readFiles(download)];
}

function readDownload(
  download: DownloadOnDisk,
  { feeds }: FeedReaders,
): FeedDownload | { readonly id: string; readonly problem: string } {
  const { id } = download;
  const feed = feeds.find((one) => one.id === id);
  if (feed === undefined) return { id, problem: "there is no such feed" };
  try {
    return { feed, files: readFiles(download) };
  } catch (error) {
    return { id, problem: error instanceof FeedError ? error.message : "its files cannot be read" };
  }
}
