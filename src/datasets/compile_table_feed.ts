import { parseAddress, parseLoosePrefix } from "#address";
import { compileTable } from "./compile_table.ts";
import type { FeedFacts } from "./feeds/feed.ts";
import { FeedError } from "./feeds/feed_error.ts";
import type { TableFeed, TableSink } from "./feeds/table_feed.ts";
import { isPlausibleRange } from "./is_plausible_range.ts";
import { judgeTable } from "./judge_extent.ts";
import type { Extent } from "./measure_extent.ts";
import { openFeedContent } from "./open_feed_content.ts";
import { RangeSet } from "./range_set.ts";
import { ValuePool } from "./value_pool.ts";

/** Malformed rows that are forgiven, in number or as a share of all. */
const MALFORMED_ROWS = 3;
const MALFORMED_SHARE = 0.01;

/** A table as bytes of its file, and what it is made of. */
export interface CompiledTableFeed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ranges: { readonly ipv4: number; readonly ipv6: number };
  /** Ranges wider than any holder's, left out. */
  readonly stripped: number;
  /** YYYY-MM-DD: of the data where the files say it, else of the moment they are read. */
  readonly date: string;
  /** What the table covers. */
  readonly extent: Extent;
}

/**
 * Compiles the files of a {@link TableFeed} into its table; `nowMs` is the moment for which they are read. Blocks the
 * thread for seconds: work for a worker.
 * @throws {FeedError} when the download is not what it must be, or gives one AS or country more than it can have.
 */
export async function compileTableFeed(
  feed: TableFeed,
  files: readonly { readonly index: number; readonly url: string; readonly bytes: Uint8Array }[],
  nowMs: number,
): Promise<CompiledTableFeed> {
  const missing = feed.files.findIndex((_, index) => !files.some((file) => file.index === index));
  if (missing >= 0) throw new FeedError(`file ${missing + 1} of ${feed.files.length} is missing`);
  const collector = new TableCollector(feed);
  let facts: FeedFacts = {};
  for (const file of files) {
    const said = await feed.parse(openFeedContent(feed, file, nowMs), collector);
    // Of several files the oldest tells how old the whole may be.
    if (said.date !== undefined && (facts.date === undefined || said.date < facts.date)) facts = said;
  }
  const { ipv4, ipv6, values, stripped } = collector.finish();
  const extent = judgeTable(feed.table, { ipv4, ipv6, values });
  const made = facts.date ?? new Date(nowMs).toISOString().slice(0, 10);
  const origin = `${feed.id} ${made}, revision ${feed.revision}`;
  return {
    bytes: compileTable({ id: feed.table, origin, date: made, ipv4, ipv6, values }),
    ranges: { ipv4: ipv4.size, ipv6: ipv6.size },
    stripped,
    date: made,
    extent,
  };
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
    const from = parseAddress(first);
    const to = parseAddress(last);
    if (from === undefined || to?.version !== from.version) this.malformed();
    else this.words(Uint32Array.from(from.words), Uint32Array.from(to.words), value);
  }

  count(first: string, addresses: number, value: string): void {
    const from = parseAddress(first);
    const last = (from?.words[0] ?? 0) + addresses - 1;
    if (from?.version !== 4 || !(addresses >= 1) || !(last <= 0xffff_ffff)) this.malformed();
    else this.words(Uint32Array.from(from.words), Uint32Array.of(last), value);
  }

  prefix(text: string, value: string): void {
    const prefix = parseLoosePrefix(text);
    if (prefix === undefined) {
      this.malformed();
      return;
    }
    const last = Uint32Array.from(prefix.address.words, (word, w) => {
      const free = Math.max(0, Math.min(32, 32 * (w + 1) - prefix.bits));
      return word + (2 ** free - 1);
    });
    this.words(Uint32Array.from(prefix.address.words), last, value);
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

  /** @throws {FeedError} when there is too little of it, or too much of it was malformed. */
  finish(): this {
    const { minRanges } = this.#feed;
    const total = this.ipv4.size + this.ipv6.size + this.stripped;
    if (this.#malformed > Math.max(MALFORMED_ROWS, MALFORMED_SHARE * total)) {
      throw new FeedError(`${this.#malformed} of its rows are malformed`);
    }
    for (const family of ["ipv4", "ipv6"] as const) {
      const { size } = this[family];
      if (size < minRanges[family]) {
        throw new FeedError(`it has ${size} ${family} ranges, at least ${minRanges[family]} expected`);
      }
    }
    return this;
  }
}
