import type { TableId } from "./datasets.ts";
import {
  AS_CLASS_BOUNDS,
  EXTENT_BOUNDS,
  GROWTH_FLOOR,
  kindOf,
  SLASH_32,
  TABLE_VALUE_BOUNDS,
} from "./extent_bounds.ts";
import { AS_CLASSES, type AsClass, type Feed, LIST_MEANINGS, type ListMeaning } from "./feeds/feed.ts";
import { FeedError } from "./feeds/feed_error.ts";
import { type Extent, measureRanges, unitOf } from "./measure_extent.ts";
import type { RangeSet } from "./range_set.ts";
import type { ValuePool } from "./value_pool.ts";

/** Public IPv4 unicast: 2^32 without what https://www.iana.org/assignments/iana-ipv4-special-registry sets aside. */
const IPV4_UNICAST = 3_702_258_432;

/** Smallest share of IPv4 worth naming, in percent. */
const LEAST_SHARE = 0.01;

/** What one list said: the sets it was taken into, its first rows in them, and what its value ids mean. */
export interface ListRows {
  readonly ipv4: RangeSet;
  readonly ipv6: RangeSet;
  readonly networks: RangeSet;
  readonly from: { readonly ipv4: number; readonly ipv6: number; readonly networks: number };
  readonly meanings: ReadonlyMap<number, ListMeaning>;
  readonly networkWords: ReadonlyMap<
    number,
    { readonly asClass?: AsClass | undefined; readonly meaning?: ListMeaning | undefined }
  >;
}

/**
 * Measures what a list covers in all, and holds each thing it says to the bound of its kind.
 * @throws {FeedError} with the reason `implausible` when it covers more.
 */
export function judgeList(feed: Pick<Feed, "authority">, rows: ListRows): Extent {
  const { ipv4, ipv6, networks, from, meanings, networkWords } = rows;
  const said = new Set(meanings.values());
  for (const meaning of LIST_MEANINGS.filter((one) => said.has(one))) {
    const isSaid = (value: number) => meanings.get(value) === meaning;
    const bound = EXTENT_BOUNDS[kindOf(feed, meaning)];
    const extent = {
      ipv4: measureRanges(ipv4, from.ipv4, isSaid),
      ipv6: measureRanges(ipv6, from.ipv6, isSaid),
    };
    for (const family of ["ipv4", "ipv6"] as const) {
      if (extent[family] > bound[family]) refuseKind(family, extent[family], bound[family], meaning);
    }
  }
  const words = [...networkWords.values()];
  for (const asClass of AS_CLASSES.filter((one) => words.some((word) => word.asClass === one))) {
    const count = measureRanges(
      networks,
      from.networks,
      (value) => networkWords.get(value)?.asClass === asClass,
    );
    if (count > AS_CLASS_BOUNDS[asClass]) refuseKind("networks", count, AS_CLASS_BOUNDS[asClass], asClass);
  }
  for (const meaning of LIST_MEANINGS.filter((one) => words.some((word) => word.meaning === one))) {
    const count = measureRanges(
      networks,
      from.networks,
      (value) => networkWords.get(value)?.meaning === meaning,
    );
    const bound = EXTENT_BOUNDS[meaning].networks;
    if (count > bound) refuseKind("networks", count, bound, meaning);
  }
  return {
    ipv4: measureRanges(ipv4, from.ipv4),
    ipv6: measureRanges(ipv6, from.ipv6),
    networks: measureRanges(networks, from.networks),
  };
}

/**
 * Measures what a table covers in all, and holds each AS or country in it to the most that one can have.
 * @throws {FeedError} with the reason `implausible` when one has more.
 */
export function judgeTable(
  table: TableId,
  { ipv4, ipv6, values }: { readonly ipv4: RangeSet; readonly ipv6: RangeSet; readonly values: ValuePool },
): Extent {
  // A value begins with the AS number or the country; what follows it is a name or a place.
  const owners = [...values.texts()].map((text) => /^\w*/.exec(text)?.[0] ?? "");
  for (const [family, ranges] of [
    ["ipv4", ipv4],
    ["ipv6", ipv6],
  ] as const) {
    const bound = TABLE_VALUE_BOUNDS[table][family];
    for (const [owner, count] of sumByOwner(ranges, owners)) {
      if (count <= bound) continue;
      const subject = table === "asn" ? `AS${owner}` : owner;
      refuse(`too much of ${subject}: ${formatExtent(family, count)}, most ${formatExtent(family, bound)}`);
    }
  }
  return { ipv4: measureRanges(ipv4, 0), ipv6: measureRanges(ipv6, 0), networks: 0 };
}

/** The rows of each owner added up: rows of a table do not overlap but by mistake. */
function sumByOwner(
  { firsts, lasts, values, size }: RangeSet,
  owners: readonly string[],
): ReadonlyMap<string, number> {
  const sums = new Float64Array(owners.length + 1);
  for (let row = 0; row < size; row++) {
    // Inside the bounds: every column is longer than `size`, and ids count from 1.
    sums[values[row]!]! += unitOf(lasts, row) - unitOf(firsts, row) + 1;
  }
  const byOwner = new Map<string, number>();
  for (const [index, owner] of owners.entries())
    byOwner.set(owner, (byOwner.get(owner) ?? 0) + (sums[index + 1] ?? 0));
  return byOwner;
}

/**
 * Holds what a list covers to what its last good version covered: at most `maxGrow` times that, and at least
 * `maxShrink` times, where 0 allows any loss.
 * @throws {FeedError} with the reason `implausible`.
 */
export function judgeChange(
  before: Extent,
  extent: Extent,
  { maxGrow, maxShrink = 0 }: { readonly maxGrow: number; readonly maxShrink?: number },
): void {
  for (const family of ["ipv4", "ipv6", "networks"] as const) {
    const old = before[family];
    const now = extent[family];
    const change = () => `${formatExtent(family, old)} to ${formatExtent(family, now)}`;
    if (now > Math.max(old, GROWTH_FLOOR[family]) * maxGrow) refuse(`its cover grew: ${change()}`);
    if (old > GROWTH_FLOOR[family] && now < old * maxShrink) refuse(`its cover shrank: ${change()}`);
  }
}

/** An extent as people count it: a share of public IPv4, /32s of IPv6, AS numbers; what is small in units. */
export function formatExtent(family: keyof Extent, count: number): string {
  if (family === "networks") return `${count} AS numbers`;
  if (family === "ipv4") {
    const share = (100 * count) / IPV4_UNICAST;
    return share < LEAST_SHARE ? `${count} IPv4 addresses` : `${formatNumber(share)} % of IPv4`;
  }
  return count < SLASH_32 ? `${count} IPv6 /48s` : `${formatNumber(count / SLASH_32)} IPv6 /32s`;
}

function formatNumber(value: number): string {
  return value >= 1_000 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

function refuseKind(family: keyof Extent, count: number, bound: number, kind: string): never {
  refuse(`too wide for ${kind}: ${formatExtent(family, count)}, most ${formatExtent(family, bound)}`);
}

function refuse(problem: string): never {
  throw new FeedError(problem, { reason: "implausible" });
}
