import { parsePrefixEnds, parseWords } from "#address";
import { compileTable, isPlausibleRange, RangeSet, ValuePool } from "#datasets";
import type { FeedFacts, TableFeed, TableSink } from "../feed.ts";
import { checkMalformed, type DownloadedFile, FeedError, openFeedContent } from "../feed_content.ts";
import { judgeTable } from "./extent.ts";

/**
 * Compiles the files of a {@link TableFeed} into its table; `nowMs` is the time for which they are read. Blocks the
 * thread for seconds, so it runs in a worker.
 * @throws {FeedError} when the download has a wrong format, or one AS or country covers more than it can.
 */
export async function compileTableFeed(feed: TableFeed, files: readonly DownloadedFile[], nowMs: number) {
  const missing = feed.files.findIndex(
    ({ keepsLast }, index) => keepsLast !== true && !files.some((file) => file.index === index),
  );
  if (missing >= 0) throw new FeedError(`file ${missing + 1} of ${feed.files.length} is missing`);
  const collector = new TableCollector(feed);
  let facts: FeedFacts = {};
  for (const file of files) {
    const found = await parseFile(feed, file, nowMs, collector);
    // The oldest file decides the date of the table.
    if (found.date !== undefined && (facts.date === undefined || found.date < facts.date)) facts = found;
  }
  const { ipv4, ipv6, values, stripped } = collector.finish();
  const extent = judgeTable(feed.table, { ipv4, ipv6, values });
  const date = facts.date ?? new Date(nowMs).toISOString().slice(0, 10);
  const origin = `${feed.id} ${date}, revision ${feed.revision}`;
  return {
    /** The file of the table, in a buffer of its own. */
    bytes: compileTable({ id: feed.table, origin, date, ipv4, ipv6, values }),
    ranges: { ipv4: ipv4.size, ipv6: ipv6.size },
    /** Ranges that were left out because they are wider than the space of any holder. */
    stripped,
    /** YYYY-MM-DD: the date of the data if the files have one, otherwise of `nowMs`. */
    date,
    extent,
  };
}

/** Reads one file. @throws {FeedError} that names the file when the others can do without it. */
async function parseFile(
  feed: TableFeed,
  file: DownloadedFile,
  nowMs: number,
  collector: TableCollector,
): Promise<FeedFacts> {
  try {
    return await feed.parse(openFeedContent(feed, file, nowMs), collector);
  } catch (cause) {
    if (feed.files[file.index]?.keepsLast !== true) throw cause;
    const problem = cause instanceof FeedError ? cause.message : "it cannot be read";
    throw new FeedError(problem, { cause, file: file.index });
  }
}

class TableCollector implements TableSink {
  readonly ipv4 = new RangeSet(4);
  readonly ipv6 = new RangeSet(6);
  readonly values = new ValuePool();
  stripped = 0;
  #malformed = 0;
  readonly #feed: TableFeed;

  constructor(feed: TableFeed) {
    this.#feed = feed;
  }

  range(first: string, last: string, value: string): void {
    const from = parseWords(first);
    const to = parseWords(last);
    if (from === undefined || to?.length !== from.length) this.malformed();
    else this.words(Uint32Array.from(from), Uint32Array.from(to), value);
  }

  count(first: string, addresses: number, value: string): void {
    const from = parseWords(first);
    const last = (from?.[0] ?? 0) + addresses - 1;
    if (from?.length !== 1 || !(addresses >= 1) || !(last <= 0xffff_ffff)) this.malformed();
    else this.words(Uint32Array.from(from), Uint32Array.of(last), value);
  }

  prefix(text: string, value: string): void {
    const ends = parsePrefixEnds(text);
    if (ends === undefined) this.malformed();
    else this.words(Uint32Array.from(ends.first), Uint32Array.from(ends.last), value);
  }

  words(first: Uint32Array, last: Uint32Array, value: string): void {
    if (!isPlausibleRange(first, last)) {
      this.stripped++;
      return;
    }
    const ranges = first.length === 1 ? this.ipv4 : this.ipv6;
    ranges.add(first, last, this.values.intern(value));
    if (this.ipv4.size + this.ipv6.size > this.#feed.maxRanges) {
      throw new FeedError(`it has more than ${this.#feed.maxRanges} ranges`);
    }
  }

  malformed(): void {
    this.#malformed++;
  }

  /** @throws {FeedError} when there are too few ranges, or too many malformed rows. */
  finish(): this {
    const { minRanges } = this.#feed;
    checkMalformed(this.#malformed, this.ipv4.size + this.ipv6.size + this.stripped);
    for (const family of ["ipv4", "ipv6"] as const) {
      const { size } = this[family];
      if (size < minRanges[family]) {
        throw new FeedError(`it has ${size} ${family} ranges, at least ${minRanges[family]} expected`);
      }
    }
    return this;
  }
}
