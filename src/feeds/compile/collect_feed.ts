import { findPublicService, findSpecialPurpose, isSpecialAsn, parsePrefixEnds } from "#address";
import {
  ACCUSING_MEANINGS,
  compareWords,
  type ListMeaning,
  type NetworkInfo,
  type RangeInfo,
  RangeSet,
  ValuePool,
} from "#datasets";
import type { Feed, FeedSink } from "../feed.ts";
import { checkMalformed, FeedError } from "../feed_content.ts";
import { judgeList } from "./extent.ts";
import type { Extent } from "./extent_bounds.ts";

/**
 * The rows of all feeds: ranges by family, AS numbers as IPv4 ranges of one address, and what the feeds say about them
 * as JSON, in pools of values.
 */
export type Collection = Readonly<ReturnType<typeof createCollection>>;

/** The words of the first and the last address of a block. */
type PrefixEnds = NonNullable<ReturnType<typeof parsePrefixEnds>>;

/** Counts of the rows of a feed; `rows` were accepted. */
export type FeedCounts = Readonly<ReturnType<typeof collectFeed>>;

/** The widest accepted range: a /8 in addresses, and an IPv6 /16 counted in values of the first word. */
const MAX_IPV4_SPAN = 2 ** 24;
const MAX_IPV6_TOP_SPAN = 2 ** 16;
/** Longest label, name, region or city kept. */
const MAX_TEXT = 80;
/** Maximum distinct infos of one feed; the largest has about 25 000 cities. */
const MAX_INFOS = 65_536;

export function createCollection() {
  return {
    ipv4: new RangeSet(4),
    ipv6: new RangeSet(6),
    networks: new RangeSet(4),
    infos: new ValuePool(),
    networkInfos: new ValuePool(),
  };
}

/**
 * Adds the rows of one feed, which `read` gives to its sink, to the collection.
 * @throws {FeedError} when the feed has too many rows, infos or malformed rows, a meaning that it does not announce, or
 * covers more than its kind of list can cover. Its rows are then removed again.
 */
export function collectFeed(feed: Feed, into: Collection, read: (sink: FeedSink) => void) {
  const sets = [into.ipv4, into.ipv6, into.networks];
  const before = sets.map((set) => set.size);
  const collector = new Collector(feed, into);
  /** What the rows cover together. */
  let extent: Extent;
  try {
    read(collector);
    checkMalformed(collector.malformed, collector.rows + collector.stripped);
    const [ipv4 = 0, ipv6 = 0, networks = 0] = before;
    extent = judgeList(feed, { ...into, ...collector, from: { ipv4, ipv6, networks } });
  } catch (error) {
    sets.forEach((set, index) => {
      set.size = before[index] ?? 0;
    });
    throw error;
  }
  const { rows, stripped, malformed } = collector;
  return { rows, stripped, malformed, extent };
}

class Collector implements FeedSink {
  rows = 0;
  /**
   * Special-purpose space, prefixes shorter than /8 (/16 for IPv6), special-use AS numbers, and accusations of a
   * well-known public service.
   */
  stripped = 0;
  /** Not an address, prefix or AS number. */
  malformed = 0;
  /** What the value ids of ranges mean, and those of AS numbers. */
  readonly meanings = new Map<number, ListMeaning>();
  readonly networkInfos = new Map<number, NetworkInfo>();
  readonly #feed: Feed;
  readonly #into: Collection;
  readonly #announced: ReadonlySet<string>;
  readonly #ids = new Map<string, number>();
  readonly #within: readonly PrefixEnds[] | undefined;

  constructor(feed: Feed, into: Collection) {
    this.#within = feed.within?.flatMap((text) => parsePrefixEnds(text) ?? []);
    this.#feed = feed;
    this.#into = into;
    this.#announced = new Set(feed.meanings);
  }

  prefix(text: string, info: RangeInfo): void {
    const ends = parsePrefixEnds(text.trim());
    if (ends === undefined) {
      this.malformed++;
      return;
    }
    const { first, last } = ends;
    if (this.#within?.some((block) => isInside(first, last, block)) === false) return;
    const isWrong = ACCUSING_MEANINGS.has(info.meaning) && isPublicService(first, last);
    if (isWrong || isTooWide(first, last) || isSpecial(first, last)) {
      this.stripped++;
      return;
    }
    const ranges = first.length === 1 ? this.#into.ipv4 : this.#into.ipv6;
    ranges.add(first, last, this.#internInfo(info));
    this.#count();
  }

  network(asn: number | string, info: NetworkInfo): void {
    const digits = /^(?:AS)?([1-9][0-9]{0,9})$/i.exec(String(asn).trim())?.[1];
    const number = Number(digits);
    if (!(number <= 0xffff_ffff)) this.malformed++;
    else if (isSpecialAsn(number)) this.stripped++;
    else {
      const id = this.#internNetworkInfo(info);
      this.#into.networks.add([number], [number], id);
      this.#count();
    }
  }

  #count(): void {
    if (++this.rows > this.#feed.maxRows) throw new FeedError(`it has more than ${this.#feed.maxRows} rows`);
  }

  #internInfo({ meaning, label, place }: RangeInfo): number {
    const key = `${meaning}\0${label ?? ""}\0${place === undefined ? "" : `${place.country}\0${place.region ?? ""}\0${place.city ?? ""}`}`;
    const id = this.#intern(key, this.#into.infos, () => {
      if (!this.#announced.has(meaning))
        throw new FeedError(`it has the meaning "${meaning}", which it does not announce`);
      const country = readCode(place?.country);
      return {
        meaning,
        label: boundText(label),
        place: country && { country, region: boundText(place?.region), city: boundText(place?.city) },
      };
    });
    if (!this.meanings.has(id)) this.meanings.set(id, meaning);
    return id;
  }

  #internNetworkInfo(info: NetworkInfo): number {
    const { asClass, meaning, name, country, registered } = info;
    const key = `${asClass ?? ""}\0${meaning ?? ""}\0${country ?? ""}\0${name ?? ""}\0${registered ?? ""}`;
    const id = this.#intern(key, this.#into.networkInfos, () => ({
      asClass,
      meaning,
      name: boundText(name),
      country: readCode(country),
      registered: boundText(registered),
    }));
    if (!this.networkInfos.has(id)) this.networkInfos.set(id, info);
    return id;
  }

  #intern(key: string, pool: ValuePool, build: () => object): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const limit = this.#feed.networks === true ? this.#feed.maxRows : MAX_INFOS;
    if (this.#ids.size >= limit) throw new FeedError("it has too many different infos");
    // JSON leaves out what is undefined.
    const id = pool.intern(JSON.stringify({ feed: this.#feed.id, ...build() }));
    this.#ids.set(key, id);
    return id;
  }
}

function readCode(country: string | undefined): string | undefined {
  return country !== undefined && /^[A-Z]{2}$/.test(country) ? country : undefined;
}

function boundText(text: string | undefined): string | undefined {
  const clean = text
    ?.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, MAX_TEXT)
    .toWellFormed();
  return clean === "" ? undefined : clean;
}

function isInside(first: readonly number[], last: readonly number[], block: PrefixEnds): boolean {
  const isSameFamily = first.length === block.first.length;
  return isSameFamily && compareWords(first, block.first) >= 0 && compareWords(last, block.last) <= 0;
}

function isTooWide(first: readonly number[], last: readonly number[]): boolean {
  const span = (last[0] ?? 0) - (first[0] ?? 0) + 1;
  return span > (first.length === 1 ? MAX_IPV4_SPAN : MAX_IPV6_TOP_SPAN);
}

/** A wider range stays. Its entry is left out when such an address in it is looked up. */
function isPublicService(first: readonly number[], last: readonly number[]): boolean {
  return first.every((word, w) => word === last[w]) && findPublicService({ words: first }) !== undefined;
}

/** Checks only the ends of a range; each address within it is checked again when it is looked up. */
function isSpecial(first: readonly number[], last: readonly number[]): boolean {
  const isOne = first.every((word, w) => word === last[w]);
  return isSpecialAddress(first) || (!isOne && isSpecialAddress(last));
}

function isSpecialAddress(words: readonly number[]): boolean {
  return findSpecialPurpose({ text: "", version: words.length === 1 ? 4 : 6, words }) !== undefined;
}
