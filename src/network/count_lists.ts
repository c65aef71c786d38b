import type { Prefix } from "#address";
import { type Datasets, type ListEntry, type ListMeaning, walkTables } from "#datasets";
import type { TableClassifier } from "#lookup";
import type { Mark } from "#report";

/** What summaries are made from. */
export interface NetworkSources {
  readonly datasets: Datasets;
  readonly classifier: TableClassifier;
  readonly lists: readonly {
    readonly id: string;
    readonly name: string;
    readonly meanings: readonly ListMeaning[];
  }[];
}

/** What a meaning of a list accuses an address of. A privacy relay, and a Tor relay that is not an exit, are not accused. */
export const MARK_OF: Readonly<Partial<Record<ListMeaning, Mark>>> = {
  tor_exit: "tor",
  vpn: "vpn",
  proxy: "proxy",
  abuse: "abuse",
  severe: "abuse",
  botnet: "abuse",
};

/** A range of addresses that the same entries of lists contain. The words are reused. */
export interface ListedRange {
  readonly first: Uint32Array;
  readonly last: Uint32Array;
  readonly entries: readonly ListEntry[];
  readonly marks: ReadonlySet<Mark>;
}

/** Visits the ranges of a prefix about which a list that is ready says something. */
export function walkLists(datasets: Datasets, prefix: Prefix, visit: (range: ListedRange) => void): void {
  const { lists } = datasets.tables();
  const states = new Map<string, boolean>();
  const isReady = (feed: string) => {
    const known = states.get(feed) ?? datasets.feedState(feed).ready;
    states.set(feed, known);
    return known;
  };
  const { first, last } = endsOf(prefix);
  const tables = lists.map(({ table }) => table);
  walkTables(tables, first, last, (from, to, ids) => {
    const entries = lists.flatMap(({ table, isUsed }, at) =>
      (table.valueOf(ids[at] ?? 0) ?? []).filter(({ feed }) => isUsed(feed) && isReady(feed)),
    );
    if (entries.length === 0) return;
    visit({
      first: from,
      last: to,
      entries,
      marks: new Set(entries.flatMap(({ meaning }) => MARK_OF[meaning] ?? [])),
    });
  });
}

/** The number of lists that can accuse an address and are ready. */
export function countReadLists({ datasets, lists }: Pick<NetworkSources, "datasets" | "lists">): number {
  return lists.filter(
    ({ id, meanings }) =>
      meanings.some((meaning) => MARK_OF[meaning] !== undefined) && datasets.feedState(id).ready,
  ).length;
}

/** The words of the first and the last address of a prefix. */
export function endsOf({ address, bits }: Prefix): {
  readonly first: readonly number[];
  readonly last: readonly number[];
} {
  const last = address.words.map((word, index) => {
    const here = Math.min(Math.max(bits - 32 * index, 0), 32);
    return here === 32 ? word : (word | (0xffff_ffff >>> here)) >>> 0;
  });
  return { first: address.words, last };
}
