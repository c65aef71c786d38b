import {
  AS_CLASSES,
  LIST_MEANINGS,
  type ListMeaning,
  type NetworkInfo,
  type RangeSet,
  type TableId,
  type ValuePool,
} from "#datasets";
import type { Feed } from "../feed.ts";
import { FeedError } from "../feed_content.ts";
import {
  AS_CLASS_BOUNDS,
  EXTENT_BOUNDS,
  type Extent,
  GROWTH_FLOOR,
  kindOf,
  SLASH_32,
  TABLE_VALUE_BOUNDS,
} from "./extent_bounds.ts";

/** Public IPv4 unicast: 2^32 without what https://www.iana.org/assignments/iana-ipv4-special-registry sets aside. */
const IPV4_UNICAST = 3_702_258_432;

/** The smallest share of IPv4 that messages give, in percent. */
const MIN_SHARE = 0.01;

/** The rows of one list: the sets that contain them, its first row in each set, and what its value ids mean. */
export interface ListRows {
  readonly ipv4: RangeSet;
  readonly ipv6: RangeSet;
  readonly networks: RangeSet;
  readonly from: { readonly ipv4: number; readonly ipv6: number; readonly networks: number };
  readonly meanings: ReadonlyMap<number, ListMeaning>;
  readonly networkInfos: ReadonlyMap<number, NetworkInfo>;
}

/**
 * Measures what a list covers in total, and checks each of its meanings against the bound of its kind.
 * @throws {FeedError} with the reason `implausible` when it covers more.
 */
export function judgeList(feed: Pick<Feed, "authority">, rows: ListRows): Extent {
  const { ipv4, ipv6, networks, from, meanings, networkInfos } = rows;
  const present = new Set(meanings.values());
  for (const meaning of LIST_MEANINGS.filter((one) => present.has(one))) {
    const isCounted = (value: number) => meanings.get(value) === meaning;
    const bound = EXTENT_BOUNDS[kindOf(feed, meaning)];
    const extent = {
      ipv4: measureRanges(ipv4, from.ipv4, isCounted),
      ipv6: measureRanges(ipv6, from.ipv6, isCounted),
    };
    for (const family of ["ipv4", "ipv6"] as const) {
      if (extent[family] > bound[family]) refuseKind(family, extent[family], bound[family], meaning);
    }
  }
  const infos = [...networkInfos.values()];
  const judgeNetworks = <Kind extends string>(
    field: "asClass" | "meaning",
    kinds: readonly Kind[],
    boundOf: (kind: Kind) => number,
  ) => {
    for (const kind of kinds.filter((one) => infos.some((info) => info[field] === one))) {
      const isOfKind = (value: number) => networkInfos.get(value)?.[field] === kind;
      const count = measureRanges(networks, from.networks, isOfKind);
      if (count > boundOf(kind)) refuseKind("networks", count, boundOf(kind), kind);
    }
  };
  judgeNetworks("asClass", AS_CLASSES, (asClass) => AS_CLASS_BOUNDS[asClass].networks);
  judgeNetworks("meaning", LIST_MEANINGS, (meaning) => EXTENT_BOUNDS[meaning].networks);
  return {
    ipv4: measureRanges(ipv4, from.ipv4),
    ipv6: measureRanges(ipv6, from.ipv6),
    networks: measureRanges(networks, from.networks),
  };
}

/**
 * Measures what a table covers in total, and checks what each AS or country in it covers.
 * @throws {FeedError} with the reason `implausible` when one covers more than it can.
 */
export function judgeTable(
  table: TableId,
  { ipv4, ipv6, values }: { readonly ipv4: RangeSet; readonly ipv6: RangeSet; readonly values: ValuePool },
): Extent {
  // A value begins with the AS number or the country, followed by a name or a place.
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

/** Adds up the rows of each owner; rows of a table do not overlap, except by mistake. */
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
 * Compares what a list covers with what its last good version covered: at most `maxGrow` times that, and at least
 * `maxShrink` times; 0 allows any loss.
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

/**
 * Formats an extent for people: as a share of public IPv4, as /32s of IPv6, or as AS numbers. A small extent is a
 * number of addresses or /48s.
 */
function formatExtent(family: keyof Extent, count: number): string {
  if (family === "networks") return `${count} AS numbers`;
  if (family === "ipv4") {
    const share = (100 * count) / IPV4_UNICAST;
    return share < MIN_SHARE ? `${count} IPv4 addresses` : `${formatNumber(share)} % of IPv4`;
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

/** Counts what the rows of `ranges` from row `from` on cover in union: IPv4 addresses, or IPv6 /48s. */
export function measureRanges(
  ranges: RangeSet,
  from: number,
  isCounted: (value: number) => boolean = () => true,
): number {
  const { firsts, lasts, values, size } = ranges;
  const starts = new Float64Array(size - from);
  const ends = new Float64Array(size - from);
  let count = 0;
  for (let row = from; row < size; row++) {
    // Inside the bounds: every column is longer than `size`.
    if (!isCounted(values[row]!)) continue;
    starts[count] = unitOf(firsts, row);
    ends[count] = unitOf(lasts, row);
    count++;
  }
  return measureUnion(starts.subarray(0, count), ends.subarray(0, count));
}

/** An IPv4 address as a number, or the number of the /48 around an IPv6 address: 48 bits, exact in a double. */
function unitOf(columns: readonly Uint32Array[], row: number): number {
  const top = columns[0]![row]!;
  return columns.length === 1 ? top : top * 2 ** 16 + (columns[1]![row]! >>> 16);
}

/**
 * Sorts first and last addresses separately. There is a gap where the number of ended ranges equals the number of begun
 * ranges.
 */
function measureUnion(starts: Float64Array, ends: Float64Array): number {
  if (starts.length === 0) return 0;
  starts.sort();
  ends.sort();
  let covered = 0;
  let begin = starts[0]!;
  for (let i = 1; i <= starts.length; i++) {
    const last = ends[i - 1]!;
    if (i < starts.length && starts[i]! <= last) continue;
    covered += last - begin + 1;
    begin = starts[i] ?? 0;
  }
  return covered;
}
