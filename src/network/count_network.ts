import { type Address, endsOf, type Prefix } from "#address";
import { type Datasets, type ListEntry, type ListMeaning, walkTables } from "#datasets";
import type { TableClassifier, TableFacts } from "#lookup";
import type { Mark, NetworkSummary } from "#report";

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

/** Counts the lists that can accuse an address, and those of them that are ready. */
export function countLists({
  datasets,
  lists,
}: NetworkSources): Pick<NetworkSummary, "listsRead" | "listsReadNames" | "listsKnown" | "listsDate"> {
  const known = lists.filter(({ meanings }) => meanings.some((meaning) => MARK_OF[meaning] !== undefined));
  const read = known.filter(({ id }) => datasets.feedState(id).ready);
  const [listsDate] = read.flatMap(({ id }) => datasets.feedState(id).date ?? []).sort();
  return {
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
