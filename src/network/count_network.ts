import type { Address } from "#address";
import { type Datasets, type ListMeaning, walkTables } from "#datasets";
import type { TableClassifier, TableFacts } from "#lookup";
import { MARKS, type Mark, type NetworkSummary } from "#report";

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

/** A range of addresses that the same entries of lists accuse. The words are reused. */
export interface ListedRange {
  readonly first: Uint32Array;
  readonly last: Uint32Array;
  readonly marks: ReadonlySet<Mark>;
}

/** Visits the ranges that lists accuse, and counts the addresses (of IPv6, the entries) of each list that is ready. */
export function walkLists(
  datasets: Datasets,
  ranges: readonly { readonly first: readonly number[]; readonly last: readonly number[] }[],
  visit: (range: ListedRange) => void = () => undefined,
): ReadonlyMap<string, number> {
  const lists = datasets.tables().lists.map(({ table, isUsed }) => {
    const readValue = (id: number) => {
      const used = table.peek(id).filter(({ feed }) => isUsed(feed) && datasets.feedState(feed).ready);
      const marks = used.flatMap(({ meaning }) => MARK_OF[meaning] ?? []);
      return { feeds: new Set(used.map(({ feed }) => feed)), marks, count: 0 };
    };
    return { table, readValue, values: new Map<number, ReturnType<typeof readValue>>() };
  });
  const tables = lists.map(({ table }) => table);
  for (const { first, last } of ranges)
    walkTables(tables, first, last, (from, to, ids) => {
      const marks = new Set<Mark>();
      for (const [at, { values, readValue }] of lists.entries()) {
        const id = ids[at] ?? 0;
        if (id === 0) continue;
        const value = values.get(id) ?? readValue(id);
        // IPv6 space has no useful number of addresses.
        value.count += first.length === 1 ? (to[0] ?? 0) - (from[0] ?? 0) + 1 : 1;
        values.set(id, value);
        for (const mark of value.marks) marks.add(mark);
      }
      if (marks.size > 0) visit({ first: from, last: to, marks });
    });
  const counts = new Map<string, number>();
  for (const { feeds, count } of lists.flatMap(({ values }) => [...values.values()]))
    for (const feed of feeds) counts.set(feed, (counts.get(feed) ?? 0) + count);
  return counts;
}

/** Names the lists with counts, those that accuse nothing last; and says how many of those that can accuse are ready. */
export function countLists(
  { datasets, lists }: NetworkSources,
  counts: ReadonlyMap<string, number>,
): Pick<NetworkSummary, "lists" | "listsRead" | "listsReadNames" | "listsKnown" | "listsDate"> {
  const marksOf = (meanings: readonly ListMeaning[]) =>
    MARKS.filter((mark) => meanings.some((meaning) => MARK_OF[meaning] === mark));
  const known = lists.filter(({ meanings }) => marksOf(meanings).length > 0);
  const read = known.filter(({ id }) => datasets.feedState(id).ready);
  const [listsDate] = read.flatMap(({ id }) => datasets.feedState(id).date ?? []).sort();
  const counted = [...counts].map(([id, count]) => {
    const { name = id, meanings = [] } = lists.find((list) => list.id === id) ?? {};
    return { id, name, count, marks: marksOf(meanings) };
  });
  const order = ({ marks, count }: (typeof counted)[number]) => (marks.length > 0 ? 2 ** 33 : 0) + count;
  return {
    lists: counted.sort((a, b) => order(b) - order(a) || (a.id < b.id ? -1 : 1)),
    listsRead: read.length,
    listsReadNames: read.map(({ name }) => name).sort(),
    listsKnown: known.length,
    ...(listsDate === undefined ? {} : { listsDate }),
  };
}

/** Where a country is named for at least this share of a network, the operator's claim of it is not a dispute. */
const NAMED_SHARE = 0.2;

/** An address of a network, and what the tables say about it. */
export interface Judged {
  readonly address: Address;
  readonly facts: TableFacts;
}

/** Judges addresses by the tables. */
export function judgeAll(classifier: TableClassifier, addresses: readonly Address[]): readonly Judged[] {
  return addresses.map((address) => ({ address, facts: classifier.classify(address) }));
}

/** Counts what the judged addresses of a network are used for, and the countries that the tables name for them. */
export function countShares(
  datasets: Datasets,
  judged: readonly Judged[],
): Pick<
  NetworkSummary,
  "asked" | "use" | "registered" | "located" | "declared" | "isDisputed" | "date" | "tables"
> {
  const hasCity = datasets.state("city").ready;
  const isReady = (table: "registration" | "country") => datasets.state(table).ready;
  const countries = (countryOf: (address: Address) => string | undefined) =>
    listShares(judged, ({ address }) => countryOf(address)).map(([country, share]) => ({ country, share }));
  const registered = countries((one) => (isReady("registration") ? datasets.registration(one) : undefined));
  const located = countries((one) =>
    hasCity ? datasets.place(one)?.country : isReady("country") ? datasets.country(one) : undefined,
  );
  const declared = listShares(judged, ({ address }) => {
    const place = datasets.declared(address);
    return place === undefined ? undefined : JSON.stringify(place);
  }).map(([place, share]) => ({ ...(JSON.parse(place) as { country: string }), share }));
  const { date } = datasets.state("asn");
  const tables = (["asn", "registration", hasCity ? "city" : "country", "geofeed"] as const).flatMap((id) => {
    const { ready, date: day } = datasets.state(id);
    return ready && day !== undefined ? [{ id, date: day }] : [];
  });
  const named = new Set(
    [...registered, ...located].filter(({ share }) => share >= NAMED_SHARE).map(({ country }) => country),
  );
  const foreign = declared.filter(({ country }) => !named.has(country));
  return {
    asked: judged.length,
    use: listShares(judged, ({ facts }) => facts.usage).map(([usageType, share]) => ({ usageType, share })),
    registered,
    located,
    declared,
    isDisputed: named.size > 0 && foreign.reduce((sum, { share }) => sum + share, 0) > 0.5,
    ...(date === undefined ? {} : { date }),
    tables,
  };
}

/** The values of items with the share of each, the largest first; items without a value count as the rest. */
export function listShares<Item, Key extends string>(
  items: readonly Item[],
  keyOf: (item: Item) => Key | undefined,
): readonly (readonly [key: Key, share: number])[] {
  const counts = new Map<Key, number>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([key, count]) => [key, roundShare(count / items.length)] as const);
}

/** Rounds a share to a tenth of a percent. */
export function roundShare(share: number): number {
  return Math.round(share * 1000) / 1000;
}
