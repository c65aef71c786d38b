import {
  type Address,
  addressFromWords,
  endsOf,
  isBogon,
  type Prefix,
  prefixFromWords,
  stepPrefix,
} from "#address";
import { type Datasets, walkTables } from "#datasets";
import { findAsClass } from "#evidence";
import type { TableClassifier } from "#lookup";
import { AS_KINDS, MARKS, type Mark, type NetworkCell, type NetworkSummary } from "#report";
import {
  countLists,
  countShares,
  type Judged,
  judgeAll,
  listShares,
  type NetworkSources,
  roundShare,
  walkLists,
} from "./count_network.ts";

/** Cells of a prefix whose addresses or customers are judged one by one, and of a wider one: judging takes time. */
const CELL_BITS = { whole: 8, sampled: 6 } as const;

/** The lengths of the wider prefixes that a summary names. */
const ABOVE = { 4: [24, 16, 8], 6: [64, 56, 48, 32] } as const;

/** The widest prefixes with a summary: an IPv4 /8, and an IPv6 /19, the widest block that a network holds. */
export const WIDEST = { 4: 8, 6: 19 } as const;

/** Most wider prefixes named. */
const MOST_ABOVE = 2;

/** A cell while its lists are counted. */
interface Cell extends Judged {
  readonly prefix: Prefix;
  listed: number;
  readonly marks: Set<Mark>;
}

/**
 * Summarizes a prefix from the tables and lists. The addresses of an IPv4 /24 are judged one by one; of an IPv6 /48
 * one in each /56, and of a wider prefix one in each of 64 parts.
 */
export function summarizePrefix(prefix: Prefix, sources: NetworkSources): NetworkSummary {
  const { datasets, classifier } = sources;
  const { version } = prefix.address;
  const cells = divide(prefix, classifier);
  const isExact = version === 4 && cells.every((cell) => cell.prefix.bits === 32);
  const marks = { tor: 0, vpn: 0, proxy: 0, abuse: 0 };
  const block = findBlock(prefix, datasets);
  let listed = 0;
  const { bits: cellBits } = cells[0]?.prefix ?? prefix;
  const counts = walkLists(datasets, [endsOf(prefix)], ({ first, last, marks: found }) => {
    if (isExact) return;
    const count = version === 4 ? (last[0] ?? 0) - (first[0] ?? 0) + 1 : 1;
    listed += count;
    for (const mark of found) marks[mark] += count;
    const to = indexOf(last, prefix.bits, cellBits);
    for (let at = indexOf(first, prefix.bits, cellBits); at <= to; at++) {
      const cell = cells[at];
      if (cell === undefined) continue;
      cell.listed += version === 4 ? countOverlap(cell.prefix, first[0] ?? 0, last[0] ?? 0) : 1;
      for (const mark of found) cell.marks.add(mark);
    }
  });
  // One address is judged as in its report, where one list can overrule another.
  if (isExact)
    for (const cell of cells) {
      for (const mark of readMarks(cell)) cell.marks.add(mark);
      for (const mark of cell.marks) marks[mark] += 1;
      cell.listed = cell.marks.size > 0 ? 1 : 0;
      listed += cell.listed;
    }
  return {
    prefix: prefix.text,
    version,
    isSampled: !isExact,
    networks: listNetworks(cells),
    ...(block === undefined ? {} : { block }),
    ...countShares(datasets, cells),
    marks,
    ...countLists(sources, counts),
    listed,
    leased: roundShare(cells.filter((cell) => isLeased(cell, datasets)).length / cells.length),
    ...listAround(prefix),
    cells: cells.map(
      (cell): NetworkCell => ({
        prefix: cell.prefix.bits === 32 && version === 4 ? cell.address.text : cell.prefix.text,
        usageType: cell.facts.usage,
        listed: cell.listed,
        marks: MARKS.filter((mark) => cell.marks.has(mark)),
      }),
    ),
  };
}

/** Divides a prefix into cells, and judges the first address of each that a host can have. */
function divide(prefix: Prefix, classifier: TableClassifier): readonly Cell[] {
  const { address, bits } = prefix;
  const narrowest = address.version === 4 ? 32 : Math.max(64, bits);
  const isWide = bits < (address.version === 4 ? 24 : 48);
  const cellBits = Math.min(narrowest, bits + (isWide ? CELL_BITS.sampled : CELL_BITS.whole));
  const first = prefixFromWords(address.words, cellBits);
  const parts = Array.from({ length: 2 ** (cellBits - bits) }, (_, at) => stepPrefix(first, at) ?? first);
  const judged = judgeAll(classifier, parts.map(pickAddress));
  return parts.map((part, at) => ({ ...(judged[at] as Judged), prefix: part, listed: 0, marks: new Set() }));
}

/** The first address of a block that a host can have. */
function pickAddress({ address, bits }: Prefix): Address {
  if (bits === 32 * address.words.length) return address;
  const words = [...address.words];
  words[words.length - 1] = (words.at(-1) ?? 0) + 1;
  return addressFromWords(address.version, words);
}

/** The number that the bits from `from` to `to` of an address make. */
function indexOf(words: ArrayLike<number>, from: number, to: number): number {
  let index = 0;
  for (let bit = from; bit < to; bit++)
    index = 2 * index + (((words[bit >>> 5] ?? 0) >>> (31 - (bit & 31))) & 1);
  return index;
}

function countOverlap(cell: Prefix, first: number, last: number): number {
  const ends = endsOf(cell);
  return Math.min(last, ends.last[0] ?? 0) - Math.max(first, ends.first[0] ?? 0) + 1;
}

/** The operator's correction can deny what lists say; it is no list. */
function readMarks({ facts }: Judged): readonly Mark[] {
  return [facts, facts.uncorrected ?? facts].reduce<readonly Mark[]>(
    (marks, { flags: { isTor, isVpn, isProxy }, listed }) =>
      marks.filter((mark) => ({ tor: isTor, vpn: isVpn, proxy: isProxy, abuse: listed > 0 })[mark]),
    MARKS,
  );
}

/** Whether a carrier announces the address, which is registered abroad: such space is leased. */
function isLeased({ address, facts: { asn } }: Judged, datasets: Datasets): boolean {
  const home = asn === undefined ? undefined : findAsClass(asn)?.home;
  if (home === undefined || !datasets.state("registration").ready) return false;
  const registered = datasets.registration(address);
  return registered !== undefined && !home.includes(registered);
}

function listNetworks(cells: readonly Cell[]): NetworkSummary["networks"] {
  const byNumber = new Map(cells.map(({ facts }) => [String(facts.asn), facts]));
  return listShares(cells, ({ facts: { asn } }) => (asn === undefined ? undefined : String(asn))).map(
    ([number, share]) => {
      const facts = byNumber.get(number);
      const kind = AS_KINDS.find((one) => one === facts?.asKind);
      return {
        asn: Number(number),
        name: facts?.asName ?? "",
        ...(kind === undefined ? {} : { kind }),
        share,
      };
    },
  );
}

/** Finds the widest prefix around this one that the table of networks gives to one AS; undefined if it has several or none. */
function findBlock({ address, bits }: Prefix, datasets: Datasets): string | undefined {
  const { asn: table } = datasets.tables();
  let block: string | undefined;
  for (let wider = bits; table !== undefined && wider >= WIDEST[address.version]; wider--) {
    const tried = prefixFromWords(address.words, wider);
    const { first, last } = endsOf(tried);
    const owners = new Set<number>();
    walkTables([table], first, last, (_from, _to, ids) => owners.add(ids[0] ?? 0));
    if (owners.size > 1 || owners.has(0)) break;
    block = tried.text;
  }
  return block;
}

function listAround(prefix: Prefix): Pick<NetworkSummary, "above" | "beside"> {
  const { address, bits } = prefix;
  const above = ABOVE[address.version]
    .filter((wider) => wider < bits)
    .slice(0, MOST_ABOVE)
    .map((wider) => prefixFromWords(address.words, wider).text);
  const beside = [-1, 1].flatMap((steps) => {
    const other = stepPrefix(prefix, steps);
    return other === undefined || isBogon(other.address) ? [] : [other.text];
  });
  return { above, beside };
}
