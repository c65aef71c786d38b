import { type Address, addressFromWords, endsOf, type Prefix, prefixFromWords } from "#address";
import type { Datasets } from "#datasets";
import {
  AS_ORIGINS,
  type AsKindVote,
  findAsClass,
  findNetworkKind,
  findSiblings,
  kindOfClass,
  readOrigin,
} from "#evidence";
import type { AsSummary } from "#report";
import type { AsIndex, UnitRange } from "./as_index.ts";
import { countLists, countShares, judgeAll, type NetworkSources, walkLists } from "./count_network.ts";

/** Addresses that are judged, evenly over what the AS announces. */
const SAMPLES = 48;

/** The largest prefixes, of which one address each is judged. */
const MOST_PREFIXES = 16;

/** The largest blocks of each address family that are named. */
const MOST_BLOCKS = 1000;

/** Siblings named. */
const MOST_SIBLINGS = 32;

/** Summarizes an AS from the tables and lists; undefined when no table says that somebody announces it. */
export function summarizeAs(asn: number, index: AsIndex, sources: NetworkSources): AsSummary | undefined {
  const { datasets, classifier } = sources;
  const id = index.idOf(asn);
  const total = (column: Parameters<AsIndex["total"]>[1]) => index.total(id, column);
  const addresses = total("addresses");
  const networks48 = total("networks48");
  if (addresses + networks48 === 0) return undefined;
  const row = index.row(id);
  const version = addresses > 0 ? 4 : 6;
  const ranges = index.ranges(id, version);
  const listBlocks = (family: 4 | 6) =>
    index
      .ranges(id, family)
      .flatMap((range) => splitRange(range, family))
      .sort((a, b) => a.bits - b.bits);
  const blocks = listBlocks(version);
  const nameBlocks = (some: typeof blocks, family: 4 | 6) =>
    some.slice(0, MOST_BLOCKS).map(({ unit, bits }) => prefixFromWords(wordsOf(unit, family), bits).text);
  const sample = judgeAll(classifier, pickEvenly(ranges, version));
  const { kind, use, votes } = findNetworkKind(row, listVotes(asn, datasets));
  const operator = findAsClass(asn)?.operator;
  const peers = index.rank(id, use);
  const ends = index.ranges(id, 4).map(({ first, last }) => ({ first: [first], last: [last] }));
  const { lists, ...read } = countLists(sources, walkLists(datasets, ends));
  return {
    asn,
    name: row.name,
    ...(kind === undefined ? {} : { kind }),
    votes: votes.map(({ origin, weight: _, ...vote }) => ({ family: AS_ORIGINS[origin].family, ...vote })),
    ...(operator === undefined ? {} : { operator }),
    siblings: findSiblings(asn).slice(0, MOST_SIBLINGS),
    addresses,
    networks48,
    isSampled: true,
    ...countShares(datasets, sample),
    marks: { tor: total("tor"), vpn: total("vpn"), proxy: total("proxy"), abuse: total("abuse") },
    ...read,
    listed: total("listed"),
    ...(version === 4 ? { lists } : {}),
    prefixes: blocks.slice(0, MOST_PREFIXES).map(({ unit, bits }) => {
      const prefix = prefixFromWords(wordsOf(unit, version), bits);
      const usageType = classifier.classify(prefix.address).usage;
      return { prefix: prefix.text, usageType, listed: countListed(datasets, prefix) };
    }),
    prefixCount: blocks.length,
    blocks: [...nameBlocks(blocks, version), ...(version === 4 ? nameBlocks(listBlocks(6), 6) : [])],
    ...(peers === undefined ? {} : { peers }),
  };
}

/** What downloaded lists of AS numbers say. */
function listVotes(asn: number, datasets: Datasets): readonly AsKindVote[] {
  return (datasets.asClasses(asn) ?? []).flatMap(({ feed, asClass }) => {
    const origin = readOrigin(feed);
    const kind = kindOfClass(asClass);
    if (origin === undefined || kind === undefined || !datasets.feedState(feed).ready) return [];
    return [{ origin, kind }];
  });
}

function countListed(datasets: Datasets, prefix: Prefix): number {
  let count = 0;
  walkLists(datasets, [endsOf(prefix)], ({ first, last }) => {
    count += prefix.address.version === 4 ? (last[0] ?? 0) - (first[0] ?? 0) + 1 : 1;
  });
  return count;
}

/** Splits a range into the fewest prefixes: the first unit of each, and its length. Text for all would take too long. */
function splitRange({ first, last }: UnitRange, version: 4 | 6) {
  const blocks: { readonly unit: number; readonly bits: number }[] = [];
  for (let at = first; at <= last; ) {
    let size = 1;
    let bits = version === 4 ? 32 : 48;
    while (bits > 0 && at % (size * 2) === 0 && at + size * 2 - 1 <= last) {
      size *= 2;
      bits -= 1;
    }
    blocks.push({ unit: at, bits });
    at += size;
  }
  return blocks;
}

/** Picks addresses at equal distances in what the ranges cover together. */
function pickEvenly(ranges: readonly UnitRange[], version: 4 | 6): readonly Address[] {
  const total = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const count = Math.min(SAMPLES, total);
  const picked: Address[] = [];
  let before = 0;
  for (const { first, last } of ranges) {
    const size = last - first + 1;
    for (; picked.length < count; ) {
      const at = Math.floor(((picked.length + 0.5) * total) / count) - before;
      if (at >= size) break;
      picked.push(addressFromWords(version, wordsOf(first + at, version)));
    }
    before += size;
  }
  return picked;
}

function wordsOf(unit: number, version: 4 | 6): readonly number[] {
  return version === 4 ? [unit] : [Math.floor(unit / 2 ** 16), (unit % 2 ** 16) * 2 ** 16, 0, 0];
}
