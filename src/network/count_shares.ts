import type { Address } from "#address";
import type { Datasets } from "#datasets";
import type { TableClassifier, TableFacts } from "#lookup";
import type { NetworkSummary } from "#report";

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
): Pick<NetworkSummary, "asked" | "use" | "registered" | "located" | "declared" | "isDisputed" | "date"> {
  const hasCity = datasets.state("city").ready;
  const isReady = (table: "registration" | "country") => datasets.state(table).ready;
  const registered = listShares(judged, ({ address }) =>
    isReady("registration") ? datasets.registration(address) : undefined,
  ).map(([country, share]) => ({ country, share }));
  const located = listShares(judged, ({ address }) =>
    hasCity ? datasets.place(address)?.country : isReady("country") ? datasets.country(address) : undefined,
  ).map(([country, share]) => ({ country, share }));
  const declared = listShares(judged, ({ address }) => {
    const place = datasets.declared(address);
    return place === undefined ? undefined : JSON.stringify(place);
  }).map(([place, share]) => ({ ...(JSON.parse(place) as { country: string }), share }));
  const { date } = datasets.state("asn");
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
