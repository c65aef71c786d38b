import { type AsnRow, type Datasets, type ListEntry, type RangeTable, walkTables } from "#datasets";
import { AS_KINDS, type AsKind, findNetworkKind } from "#evidence";
import { MARKS, type Mark } from "#report";
import { readMark } from "./count_lists.ts";

/** IPv4 addresses between two pauses, while the index is made: a /7. */
const SLICE = 2 ** 25;

/** Values of lists that are read between two pauses. */
const VALUES_A_TURN = 1000;

/** Networks of a size whose kind is found, so that one question costs some milliseconds. */
const MOST_CANDIDATES = 400;

/** A rank among fewer networks says nothing. */
const LEAST_PEERS = 10;

/** First and last of a range: IPv4 addresses, or IPv6 /48 networks (48 bits, exact in a double). */
export interface UnitRange {
  readonly first: number;
  readonly last: number;
}

/** What one AS announces, and what lists say about it. */
export interface AsRecord extends AsnRow {
  readonly addresses: number;
  readonly networks48: number;
  readonly marks: Readonly<Record<Mark, number>>;
}

/** Networks of the same kind and size: how many, and the share of them that has fewer marks for its size. */
export interface Peers {
  readonly count: number;
  readonly below: Readonly<Partial<Record<Mark, number>>>;
}

/** All AS of the table of networks, with what they announce. */
export interface AsIndex {
  find(asn: number): AsRecord | undefined;
  /** The ranges that the AS announces, in order. */
  ranges(asn: number, version: 4 | 6): readonly UnitRange[];
  /** Undefined with too few of them. */
  peers(record: AsRecord, kind: AsKind | undefined): Peers | undefined;
}

/**
 * Walks through the tables of networks and lists once, with pauses for other work, and adds up what each AS announces.
 * Undefined without a table of networks.
 */
export async function buildAsIndex(
  datasets: Datasets,
  pause: () => Promise<void>,
): Promise<AsIndex | undefined> {
  const { asn: table, lists } = datasets.tables();
  if (table === undefined) return undefined;
  const size = table.valueCount + 1;
  const numbers = new Uint32Array(size);
  const addresses = new Float64Array(size);
  const networks48 = new Float64Array(size);
  const counts = new Map(MARKS.map((mark) => [mark, new Uint32Array(size)] as const));
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
      addresses[id] = (addresses[id] ?? 0) + count;
      let mask = 0;
      for (let at = 0; at < masks.length; at++) mask |= masks[at]?.[ids[at + 1] ?? 0] ?? 0;
      if (mask === 0) return;
      for (const [at, mark] of MARKS.entries()) {
        const marked = counts.get(mark);
        if (marked !== undefined && ((mask >>> at) & 1) === 1) marked[id] = (marked[id] ?? 0) + count;
      }
    });
  }
  await pause();
  const rows6 = table.rows(6);
  for (let row = 0; rows6 !== undefined && row < rows6.ids.length; row++) {
    const id = rows6.ids[row] ?? 0;
    const { first, last } = unitsOf(table, 6, row);
    networks48[id] = (networks48[id] ?? 0) + (last - first + 1);
  }
  const kinds = new Uint8Array(size);
  const classes = new Map<number, number[]>();
  for (let id = 1; id < size; id++) {
    const sized = classes.get(sizeClass(addresses[id] ?? 0)) ?? [];
    sized.push(id);
    classes.set(sizeClass(addresses[id] ?? 0), sized);
  }

  /** The kind that our tables and its name give an AS; the position after that of the kind, and 255 for none. */
  function kindOf(id: number): AsKind | undefined {
    if (kinds[id] === 0) {
      const { kind } = findNetworkKind(table?.peek(id), []);
      kinds[id] = kind === undefined ? 255 : AS_KINDS.indexOf(kind) + 1;
    }
    return AS_KINDS[(kinds[id] ?? 0) - 1];
  }

  const rateOf = (id: number, mark: Mark) => (counts.get(mark)?.[id] ?? 0) / (addresses[id] ?? 1);

  return {
    find(asn) {
      const id = numbers.indexOf(asn, 1);
      if (id < 0) return undefined;
      return {
        ...table.peek(id),
        addresses: addresses[id] ?? 0,
        networks48: networks48[id] ?? 0,
        marks: {
          tor: counts.get("tor")?.[id] ?? 0,
          vpn: counts.get("vpn")?.[id] ?? 0,
          proxy: counts.get("proxy")?.[id] ?? 0,
          abuse: counts.get("abuse")?.[id] ?? 0,
        },
      };
    },
    ranges(asn, version) {
      const id = numbers.indexOf(asn, 1);
      const ids = table.rows(version)?.ids;
      const found: UnitRange[] = [];
      for (let row = 0; ids !== undefined && row < ids.length; row++)
        if (ids[row] === id) found.push(unitsOf(table, version, row));
      return found;
    },
    peers(record, kind) {
      if (kind === undefined || record.addresses === 0) return undefined;
      const own = numbers.indexOf(record.asn, 1);
      const sized = classes.get(sizeClass(record.addresses)) ?? [];
      const step = Math.max(1, sized.length / MOST_CANDIDATES);
      const peers: number[] = [];
      for (let at = 0; at < sized.length; at += step) {
        const id = sized[Math.floor(at)] ?? 0;
        if (id !== own && kindOf(id) === kind) peers.push(id);
      }
      if (peers.length < LEAST_PEERS) return undefined;
      const below = MARKS.map((mark) => {
        const rate = rateOf(own, mark);
        return [mark, peers.filter((id) => rateOf(id, mark) < rate).length / peers.length] as const;
      });
      return { count: peers.length, below: Object.fromEntries(below) };
    },
  };
}

/** Networks of one class have at most four times the addresses of each other. */
function sizeClass(addresses: number): number {
  return Math.floor(Math.log2(Math.max(1, addresses)) / 2);
}

/** The marks of each value of a table of lists, as bits in the order of {@link MARKS}. */
async function readMasks(
  table: RangeTable<readonly ListEntry[]>,
  isUsed: (feed: string) => boolean,
  pause: () => Promise<void>,
): Promise<Uint8Array> {
  const masks = new Uint8Array(table.valueCount + 1);
  for (let id = 1; id < masks.length; id++) {
    if (id % VALUES_A_TURN === 0) await pause();
    for (const entry of table.peek(id)) {
      const mark = readMark(entry);
      if (typeof mark === "string" && isUsed(entry.feed))
        masks[id] = (masks[id] ?? 0) | (1 << MARKS.indexOf(mark));
    }
  }
  return masks;
}

/** The first and the last unit of a row. */
function unitsOf(table: RangeTable<AsnRow>, version: 4 | 6, row: number): UnitRange {
  const starts = table.rows(version)?.starts ?? [];
  const rows = starts[0]?.length ?? 0;
  const unit = (at: number) => {
    const top = starts[0]?.[at] ?? 0;
    return version === 4 ? top : top * 2 ** 16 + ((starts[1]?.[at] ?? 0) >>> 16);
  };
  const end = row + 1 < rows ? unit(row + 1) : 2 ** (version === 4 ? 32 : 48);
  const first = unit(row);
  return { first, last: Math.max(first, end - 1) };
}
