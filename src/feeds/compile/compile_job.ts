import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { type DownloadOnDisk, isDownloaded } from "../download/feed_cache.ts";
import type { AllFeeds, TableFeed } from "../feed.ts";
import { FeedError } from "../feed_content.ts";
import {
  compileLists,
  describeRefusal,
  type FeedDownload,
  type FeedReading,
  inspectDownload,
} from "./compile_lists.ts";
import { compileTableFeed } from "./compile_table_feed.ts";
import { writeFeedTable, writeListTables } from "./table_files.ts";

/** The problem of a download whose files on disk differ from the downloaded files. */
export const DAMAGED_DOWNLOAD = "its files on disk are damaged";

/**
 * Work on downloads that would block the thread that answers requests for too long. Tables are written to `directory`;
 * `origin` stands for everything that a table is made from.
 */
export type CompileJob =
  | { readonly kind: "inspect"; readonly download: DownloadOnDisk; readonly nowMs: number }
  | {
      readonly kind: "table";
      readonly download: DownloadOnDisk;
      readonly directory: string;
      readonly origin: string;
      readonly nowMs: number;
    }
  | {
      readonly kind: "compile";
      readonly downloads: readonly DownloadOnDisk[];
      readonly directory: string;
      readonly origin: string;
      readonly nowMs: number;
    };

/** The result of a job. `unwritten` says why the tables are only in memory. */
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

/** Runs a job; blocks the thread. @throws when a table cannot be made. */
export async function runCompileJob(job: CompileJob, readers: AllFeeds): Promise<CompileResult> {
  switch (job.kind) {
    case "inspect":
      return { kind: "inspect", reading: await inspect(job.download, readers, job.nowMs) };
    case "table": {
      const feed = findTableFeed(job.download.id, readers);
      const { bytes } = await compileTableFeed(feed, readFiles(job.download), job.nowMs);
      const { directory, origin } = job;
      return { kind: "table", bytes, ...writeFeedTable(directory, feed, { bytes, origin }) };
    }
    case "compile":
      return compile(job, readers);
  }
}

async function inspect(download: DownloadOnDisk, readers: AllFeeds, nowMs: number): Promise<FeedReading> {
  const { id } = download;
  if (!readers.tables.some((feed) => feed.id === id)) {
    const found = readDownload(download, readers);
    return "problem" in found ? { ...found, good: false } : inspectDownload(found, nowMs);
  }
  try {
    const made = await compileTableFeed(findTableFeed(id, readers), readFiles(download), nowMs);
    const { ranges, stripped, date, extent } = made;
    return { id, good: true, rows: ranges.ipv4 + ranges.ipv6, stripped, malformed: 0, date, extent };
  } catch (error) {
    return { id, good: false, ...describeRefusal(error) };
  }
}

function compile(job: Extract<CompileJob, { kind: "compile" }>, readers: AllFeeds): CompileResult {
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
  const feeds = all.flatMap((reading) => (reading.good ? [reading.id] : []));
  const written = writeListTables(job.directory, { origin: job.origin, feeds }, { lists, networks });
  return { kind: "compile", lists, networks, readings: all, ...written };
}

/** @throws {FeedError} when there is no such feed. */
function findTableFeed(id: string, { tables }: AllFeeds): TableFeed {
  const feed = tables.find((one) => one.id === id);
  if (feed === undefined) throw new FeedError("there is no such feed");
  return feed;
}

function readDownload(
  download: DownloadOnDisk,
  { feeds }: AllFeeds,
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

/** @throws {FeedError} when a file differs from the downloaded file; the file system's error when it cannot be read. */
function readFiles({ files }: DownloadOnDisk): FeedDownload["files"] {
  return files.map(({ path, ...file }) => {
    const bytes = readFileSync(path);
    if (!isDownloaded(basename(path), bytes)) throw new FeedError(DAMAGED_DOWNLOAD);
    return { ...file, bytes };
  });
}
