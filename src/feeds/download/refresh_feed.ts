import { DatasetError, type RefusalReason } from "#datasets";
import { type HttpAnswer, type HttpRequest, type Upstream, UpstreamError } from "#upstream";
import type { Compiler } from "../compile/compiler.ts";
import { judgeChange } from "../compile/extent.ts";
import type { Extent } from "../compile/extent_bounds.ts";
import { type Feed, type FeedFile, isFeedExpired, type TableFeed } from "../feed.ts";
import { FeedError } from "../feed_content.ts";
import type { CachedFile, FeedCache, FeedRecord } from "./feed_cache.ts";

/** What a refresh needs. `now` gives milliseconds. */
export interface RefreshPorts {
  readonly upstream: Pick<Upstream, "http">;
  readonly cache: FeedCache;
  readonly compiler: Compiler;
  readonly now: () => number;
  /** Returns a number from 0 to 1. It spreads the times at which feeds are due. */
  readonly random: () => number;
}

/** One refresh: what it needs, the feed, its state before, and the signal that ends it. */
interface Refresh extends RefreshPorts {
  readonly feed: Feed | TableFeed;
  readonly before: FeedRecord;
  readonly signal: AbortSignal;
}

type GoodDownload = NonNullable<FeedRecord["good"]>;

/** The outcome of refreshing one feed. `problem`: files that failed and were replaced by their last good version. */
export type RefreshOutcome =
  | {
      readonly id: string;
      readonly did: "updated" | "unchanged";
      readonly rows: number;
      readonly problem?: string;
    }
  | { readonly id: string; readonly did: "failed"; readonly problem: string };

const DEFAULT_MAX_SHRINK = 0.5;
const DEFAULT_MAX_GROW = 3;
/** A list of at most this many rows may grow or shrink by any factor. */
const SMALL = 50;
const PAGE_BYTES = 4_194_304;
const FIRST_PAUSE_MS = 300_000;
const JITTER = 0.1;
const NOT_MODIFIED = 304;

/**
 * Downloads a feed and saves the download if it passes all checks; otherwise the last good download stays. Never
 * rejects. An abort of `signal` does not count as a failure of the feed.
 */
export async function refreshFeed(
  feed: Feed | TableFeed,
  ports: RefreshPorts,
  signal: AbortSignal,
): Promise<RefreshOutcome> {
  ports.cache.reload(feed.id);
  const before = ports.cache.record(feed.id);
  const refresh: Refresh = { ...ports, feed, before, signal };
  try {
    const download = await fetchFiles(refresh);
    const nowMs = ports.now();
    const { good } = before;
    if (good !== undefined && !download.isNew) {
      const checked = { ...good, files: download.files, checkedAt: nowMs };
      return save(refresh, checked, download);
    }
    const { reading, files, problems } = await inspectFiles(refresh, download);
    const { rows, stripped, date, extent } = reading;
    if (good !== undefined && !isFeedExpired(feed, good, nowMs)) checkChange(feed, good, { rows, extent });
    const newest = {
      files,
      rows,
      stripped,
      extent,
      fetchedAt: nowMs,
      checkedAt: nowMs,
      ...(date === undefined ? {} : { date }),
    };
    return save(refresh, newest, { isNew: true, problems });
  } catch (error) {
    return noteFailure(refresh, error);
  }
}

/** Files of a download, of which some may be kept from the last one: `problems` says why. */
type FetchedFiles = Awaited<ReturnType<typeof fetchFiles>>;

/** Downloads all files. @throws the error of a file that is needed, or of the first file when all of them fail. */
async function fetchFiles(refresh: Refresh) {
  const { feed, before, cache, signal } = refresh;
  const files: CachedFile[] = [];
  const errors: unknown[] = [];
  const problems: string[] = [];
  /** A file differs from the last download. */
  let isNew = false;
  for (const [index, file] of feed.files.entries()) {
    const written = before.good?.files.find((one) => one.index === index);
    // A file that is damaged on disk must be downloaded again, even if it has not changed on the server.
    const kept = written !== undefined && (await cache.isWhole(feed.id, written)) ? written : undefined;
    if (kept !== written) isNew = true;
    let fetched: CachedFile | undefined;
    try {
      fetched = await fetchFile(refresh, index, file, kept);
    } catch (error) {
      if (file.keepsLast !== true || signal.aborted) throw error;
      errors.push(error);
      problems.push(`${new URL(file.url).hostname}: ${describeProblem(error)}`);
      fetched = kept;
    }
    if (fetched !== undefined) files.push(fetched);
    if (fetched?.name !== kept?.name) isNew = true;
  }
  if (errors.length === feed.files.length) throw errors[0];
  return { files, isNew, problems };
}

/**
 * Reads and counts the files of a download. A file that is refused alone is replaced by its last good version, or left
 * out when there is none.
 * @throws {FeedError} when the download is refused.
 */
async function inspectFiles({ feed, before, cache, compiler, now }: Refresh, download: FetchedFiles) {
  let files = [...download.files];
  const problems = [...download.problems];
  for (;;) {
    const { reading } = await compiler.run({
      kind: "inspect",
      download: cache.locate(feed.id, files),
      nowMs: now(),
    });
    if (reading.good) return { reading, files, problems };
    const bad = files.find((file) => file.index === reading.file);
    if (
      bad === undefined ||
      feed.files[bad.index]?.keepsLast !== true ||
      problems.length + 1 >= feed.files.length
    )
      throw new FeedError(reading.problem, { reason: reading.reason });
    const last = before.good?.files.find((file) => file.index === bad.index && file.name !== bad.name);
    files = files.flatMap((file) => (file === bad ? (last ?? []) : file));
    problems.push(`${new URL(bad.url).hostname}: ${reading.problem}`);
  }
}

function save(
  refresh: Refresh,
  good: GoodDownload,
  { isNew, problems }: Pick<FetchedFiles, "isNew" | "problems">,
): RefreshOutcome {
  const { feed, cache } = refresh;
  const failure = problems.length === 0 ? undefined : { problem: problems.join("; ") };
  cache.save(feed.id, makeRecord(refresh, good, failure));
  cache.sweep(feed.id);
  const did = isNew ? "updated" : "unchanged";
  return { id: feed.id, did, rows: good.rows, ...failure };
}

/**
 * Makes the state after an attempt. With a problem the next attempt is early; the pause doubles with every failure
 * before it, and is at least `orderedMs`.
 */
function makeRecord(
  { feed, before, now, random }: Refresh,
  good: FeedRecord["good"],
  failure?: { problem: string; reason?: RefusalReason | undefined; orderedMs?: number | undefined },
): FeedRecord {
  const kept = good === undefined ? {} : { good };
  const nowMs = now();
  if (failure === undefined) return { ...kept, failures: 0, dueAt: nowMs + jitter(feed.cadenceMs, random()) };
  const { problem, reason, orderedMs = 0 } = failure;
  const pauseMs = Math.min(feed.cadenceMs, FIRST_PAUSE_MS * 2 ** Math.min(before.failures, 16));
  return {
    ...kept,
    failures: before.failures + 1,
    dueAt: Math.round(nowMs + Math.max(jitter(pauseMs, random()), orderedMs)),
    error: { at: nowMs, problem, ...(reason === undefined ? {} : { reason }) },
  };
}

async function fetchFile(
  refresh: Refresh,
  index: number,
  file: FeedFile,
  kept: CachedFile | undefined,
): Promise<CachedFile | undefined> {
  try {
    const urls = file.urls?.(refresh.now()) ?? [await findUrl(refresh, file)];
    const { url, known, answer } = await requestFirst(refresh, file, urls, kept);
    if (answer.status === NOT_MODIFIED && known !== undefined) return known;
    if (!(answer.body instanceof Uint8Array) || answer.body.length === 0) throw new FeedError("it is empty");
    const { name } = refresh.cache.put(refresh.feed.id, index, answer.body);
    const etag = boundHeader(answer.headers.get("etag"));
    const lastModified = boundHeader(answer.headers.get("last-modified"));
    return {
      index,
      url,
      name,
      bytes: answer.body.length,
      ...(etag === undefined ? {} : { etag }),
      ...(lastModified === undefined ? {} : { lastModified }),
    };
  } catch (error) {
    if (file.optional === true && error instanceof UpstreamError && !refresh.signal.aborted) return kept;
    throw error;
  }
}

/** Requests the URLs in order while they give 404. @throws the error of the last one, or any other error. */
async function requestFirst(
  refresh: Refresh,
  file: FeedFile,
  [url = file.url, ...rest]: readonly string[],
  kept: CachedFile | undefined,
): Promise<{ readonly url: string; readonly known: CachedFile | undefined; readonly answer: HttpAnswer }> {
  const { feed, upstream, signal } = refresh;
  const known = kept?.url === url ? kept : undefined;
  const { maxBytes, redirects = 0, contentTypes } = file;
  const request: HttpRequest = {
    url,
    as: "bytes",
    maxBytes,
    redirects,
    headers: { ...feed.headers, ...conditions(known) },
    ...(known === undefined ? {} : { statuses: [NOT_MODIFIED] }),
    ...(contentTypes === undefined ? {} : { contentTypes }),
  };
  try {
    return { url, known, answer: await upstream.http(request, signal) };
  } catch (error) {
    const isMissing =
      error instanceof UpstreamError && error.kind === "status" && error.detail === "HTTP 404";
    if (rest.length === 0 || !isMissing) throw error;
    return requestFirst(refresh, file, rest, kept);
  }
}

/** Gives the URL of a file, or the URL that its page links to. */
async function findUrl({ feed, upstream, signal }: Refresh, file: FeedFile): Promise<string> {
  if (file.find === undefined) return file.url;
  const page = await upstream.http(
    {
      url: file.url,
      as: "text",
      maxBytes: PAGE_BYTES,
      redirects: file.redirects ?? 0,
      headers: { ...feed.headers, accept: "text/html, text/*" },
    },
    signal,
  );
  const found = file.find(String(page.body));
  if (found === undefined) throw new FeedError("the page names no file");
  return found;
}

/** Gives the conditional headers of RFC 9110 §13.1; servers without entity tags use the date. */
function conditions(kept: CachedFile | undefined): Record<string, string> {
  return {
    ...(kept?.etag === undefined ? {} : { "if-none-match": kept.etag }),
    ...(kept?.lastModified === undefined ? {} : { "if-modified-since": kept.lastModified }),
  };
}

function boundHeader(value: string | null): string | undefined {
  return value !== null && /^[\x20-\x7e]{1,200}$/.test(value) ? value : undefined;
}

/** @throws {FeedError} when the list shrank or grew too much, in rows or in what they cover. */
function checkChange(
  feed: Feed | TableFeed,
  good: GoodDownload,
  { rows, extent }: { readonly rows: number; readonly extent: Extent },
): void {
  const isTable = "table" in feed;
  const { maxShrink = DEFAULT_MAX_SHRINK, maxGrow = DEFAULT_MAX_GROW } = isTable ? {} : feed;
  // A list may lose its widest row, but a table that loses half of the address space is wrong.
  if (good.extent !== undefined)
    judgeChange(good.extent, extent, { maxGrow, ...(isTable ? { maxShrink } : {}) });
  const before = good.rows;
  if (before <= SMALL && rows <= SMALL) return;
  if (rows < before * maxShrink) {
    throw new FeedError(`it shrank from ${before} to ${rows} rows`);
  }
  if (rows > Math.max(before, SMALL) * maxGrow) {
    throw new FeedError(`it grew from ${before} to ${rows} rows`);
  }
}

function noteFailure(refresh: Refresh, error: unknown): RefreshOutcome {
  const { feed, before, cache, signal } = refresh;
  const problem = describeProblem(error);
  const reason = error instanceof FeedError ? error.reason : undefined;
  const orderedMs = error instanceof UpstreamError ? error.retryAfterMs : undefined;
  try {
    if (!signal.aborted)
      cache.save(feed.id, makeRecord(refresh, before.good, { problem, reason, orderedMs }));
  } catch {
    // The disk may be full: the failure is kept in memory, and the state on disk is still right.
  }
  cache.sweep(feed.id);
  return { id: feed.id, did: "failed", problem };
}

function describeProblem(error: unknown): string {
  if (error instanceof UpstreamError) return `${error.kind}: ${error.detail}`;
  if (error instanceof FeedError || error instanceof DatasetError) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^E[A-Z]{2,20}$/.test(code) ? `cannot be written: ${code}` : "cannot be refreshed";
}

function jitter(ms: number, random: number): number {
  return Math.round(ms * (1 - JITTER + 2 * JITTER * random));
}
