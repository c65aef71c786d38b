import { type AsnRow, type Datasets, type ListEntry, type RangeTable, walkTables } from "#datasets";
import { findNetworkKind } from "#evidence";
import { type AsSummary, MARKS, type UsageType } from "#report";
import { MARK_OF, roundShare } from "./count_network.ts";

/** IPv4 addresses between two pauses, while the index is made: a /7. */
const SLICE = 2 ** 25;

/** Values of a table that are read between two pauses. */
const VALUES_A_TURN = 1000;

/** Ranges of IPv6 that are counted between two pauses. */
const ROWS_A_TURN = 10_000;

/** Networks of a size whose use is found, so that one question costs some milliseconds. */
const MOST_CANDIDATES = 200;

/** A rank among fewer networks says nothing. */
const LEAST_PEERS = 10;

/** What is added up for each AS. */
const COLUMNS = ["addresses", "networks48", "listed", ...MARKS] as const;
type Column = (typeof COLUMNS)[number];

/** First and last of a range: IPv4 addresses, or IPv6 /48 networks (48 bits, exact in a double). */
export interface UnitRange {
  readonly first: number;
  readonly last: number;
}

/** What all AS of the table of networks announce. An AS has the id of its value in the table; 0 is none. */
export type AsIndex = NonNullable<Awaited<ReturnType<typeof buildAsIndex>>>;

/**
 * Walks through the tables of networks and lists once, with pauses for other work, and adds up what each AS announces.
 * Undefined without a table of networks.
 */
export async function buildAsIndex(datasets: Datasets, pause: () => Promise<void>) {
  const { asn: table, lists } = datasets.tables();
  if (table === undefined) return undefined;
  const size = table.valueCount + 1;
  const numbers = new Uint32Array(size);
  const totals = new Float64Array(size * COLUMNS.length);
  const at = (id: number, column: Column) => id * COLUMNS.length + COLUMNS.indexOf(column);
  const total = (id: number, column: Column) => totals[at(id, column)] ?? 0;
  const add = (id: number, column: Column, count: number) => {
    totals[at(id, column)] = total(id, column) + count;
  };
  for (let id = 1; id < size; id++) {
    if (id % VALUES_A_TURN === 0) await pause();
    numbers[id] = table.peek(id).asn;
  }
  const masks: Uint8Array[] = [];
  for (const list of lists) {
    const isUsed = (feed: string) => list.isUsed(feed) && datasets.feedState(feed).ready;
    masks.push(await readMasks(list.table, isUsed, pause));
  }
  const tables = [table, ...lists.map((list) => list.table)];
  for (let from = 0; from < 2 ** 32; from += SLICE) {
    await pause();
    walkTables(tables, [from], [from + SLICE - 1], (first, last, ids) => {
      const id = ids[0] ?? 0;
      if (id === 0) return;
      const count = (last[0] ?? 0) - (first[0] ?? 0) + 1;
      add(id, "addresses", count);
      const mask = masks.reduce((sum, one, list) => sum | (one[ids[list + 1] ?? 0] ?? 0), 0);
      if (mask === 0) return;
      add(id, "listed", count);
      for (const mark of MARKS) if ((mask & bitOf(mark)) !== 0) add(id, mark, count);
    });
  }
  const ipv6 = table.rows(6);
  for (let row = 0; row < (ipv6?.ids.length ?? 0); row++) {
    if (row % ROWS_A_TURN === 0) await pause();
    const id = ipv6?.ids[row] ?? 0;
    if (id === 0) continue;
    const { first, last } = unitsOf(ipv6, 6, row);
    add(id, "networks48", last - first + 1);
  }

  const rate = (id: number, mark: Column) => total(id, mark) / total(id, "addresses");

  return {
    idOf: (asn: number) => Math.max(0, numbers.indexOf(asn, 1)),
    row: (id: number) => table.peek(id),
    total,
    /** The ranges that the AS announces, in order; ranges that touch are one. */
    ranges(id: number, version: 4 | 6): readonly UnitRange[] {
      // Of half a million rows few are of one AS, and the built-in search is the fastest.
      const rows = table.rows(version);
      const ids = rows?.ids ?? new Uint32Array();
      const found: { first: number; last: number }[] = [];
      for (let row = ids.indexOf(id); row >= 0; row = ids.indexOf(id, row + 1)) {
        const range = unitsOf(rows, version, row);
        const before = found.at(-1);
        if (before !== undefined && range.first <= before.last + 1) before.last = range.last;
        else found.push(range);
      }
      return found;
    },
    /** The rank among networks of the same use and size; undefined with too few of them. */
    rank(id: number, use: UsageType): AsSummary["peers"] {
      if (use === "unknown" || total(id, "addresses") === 0) return undefined;
      const own = sizeClass(total(id, "addresses"));
      const sized: number[] = [];
      for (let one = 1; one < size; one++)
        if (one !== id && sizeClass(total(one, "addresses")) === own) sized.push(one);
      const step = Math.max(1, Math.floor(sized.length / MOST_CANDIDATES));
      const peers = sized.filter(
        (one, index) => index % step === 0 && findNetworkKind(table.peek(one), []).use === use,
      );
      if (peers.length < LEAST_PEERS) return undefined;
      const below = MARKS.map((mark) => {
        const fewer = peers.filter((one) => rate(one, mark) < rate(id, mark));
        return [mark, roundShare(fewer.length / peers.length)] as const;
      });
      return { count: peers.length, below: Object.fromEntries(below) };
    },
  };
}

/** Networks of one class have at most four times the addresses of each other. */
function sizeClass(addresses: number): number {
  return Math.floor(Math.log2(Math.max(1, addresses)) / 2);
}

function bitOf(mark: (typeof MARKS)[number]): number {
  return 1 << MARKS.indexOf(mark);
}

/** The marks of each value of a table of lists, as bits. */
async function readMasks(
  table: RangeTable<readonly ListEntry[]>,
  isUsed: (feed: string) => boolean,
  pause: () => Promise<void>,
): Promise<Uint8Array> {
  const masks = new Uint8Array(table.valueCount + 1);
  for (let id = 1; id < masks.length; id++) {
    if (id % VALUES_A_TURN === 0) await pause();
    for (const entry of table.peek(id)) {
      const mark = MARK_OF[entry.meaning];
      if (mark !== undefined && isUsed(entry.feed)) masks[id] = (masks[id] ?? 0) | bitOf(mark);
    }
  }
  return masks;
}

/** The first and the last unit of a row. */
function unitsOf(rows: ReturnType<RangeTable<AsnRow>["rows"]>, version: 4 | 6, row: number) {
  const starts = rows?.starts ?? [];
  const unit = (at: number) => {
    const top = starts[0]?.[at];
    if (top === undefined) return 2 ** (version === 4 ? 32 : 48);
    return version === 4 ? top : top * 2 ** 16 + ((starts[1]?.[at] ?? 0) >>> 16);
  };
  const first = unit(row);
  return { first, last: Math.max(first, unit(row + 1) - 1) };
}
