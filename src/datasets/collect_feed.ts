import { type Address, findSpecialPurpose, parseAddress, parseLoosePrefix } from "#address";
import type { Feed, FeedSink, ListMeaning, NetworkWord, RangeWord } from "./feeds/feed.ts";
import { FeedError } from "./feeds/feed_error.ts";
import { judgeList } from "./judge_extent.ts";
import type { Extent } from "./measure_extent.ts";
import { RangeSet } from "./range_set.ts";
import { ValuePool } from "./value_pool.ts";

/** Where the words of all feeds come together: ranges by family, AS numbers as ranges of one, and their words as JSON. */
export interface Collection {
  readonly ipv4: RangeSet;
  readonly ipv6: RangeSet;
  readonly networks: RangeSet;
  readonly words: ValuePool;
  readonly networkWords: ValuePool;
}

/** What became of a feed's rows. `rows` were taken. */
export interface FeedCounts {
  readonly rows: number;
  /** Special-purpose space, prefixes shorter than /8 (/16 for IPv6), special-use AS numbers. */
  readonly stripped: number;
  /** Neither an address nor a range nor an AS number. */
  readonly malformed: number;
  /** What its rows cover in union. */
  readonly extent: Extent;
}

/** Shortest prefixes believed, as the most addresses a range may span: a /8, and a /16 counted in its first word. */
const MAX_IPV4_SPAN = 2 ** 24;
const MAX_IPV6_TOP_SPAN = 2 ** 16;
const MAX_TEXT = 80;
/** Distinct words of one feed: the cities of the largest are some 25 000. */
const MAX_WORDS = 65_536;
/** Malformed rows that are forgiven, in number or as a share of all. */
const MALFORMED_ROWS = 3;
const MALFORMED_SHARE = 0.01;

/** Creates an empty {@link Collection}. */
export function createCollection(): Collection {
  return {
    ipv4: new RangeSet(4),
    ipv6: new RangeSet(6),
    networks: new RangeSet(4),
    words: new ValuePool(),
    networkWords: new ValuePool(),
  };
}

/**
 * Takes the words of one feed into the collection while `read` speaks them.
 * @throws {FeedError} when the feed says more rows, words or meanings than it may, covers more than its kind of list
 * can, or has too many malformed rows;
 * what it had said is then taken back.
 */
export function collectFeed(feed: Feed, into: Collection, read: (sink: FeedSink) => void): FeedCounts {
  const sets = [into.ipv4, into.ipv6, into.networks];
  const before = sets.map((set) => set.size);
  const collector = new Collector(feed, into);
  let extent: Extent;
  try {
    read(collector);
    collector.finish();
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
  stripped = 0;
  malformed = 0;
  /** What the value ids of ranges, and those of AS numbers, mean. */
  readonly meanings = new Map<number, ListMeaning>();
  readonly networkWords = new Map<number, NetworkWord>();
  readonly #feed: Feed;
  readonly #into: Collection;
  readonly #announced: ReadonlySet<string>;
  readonly #ids = new Map<string, number>();
  readonly #last = [0, 0, 0, 0];

  constructor(feed: Feed, into: Collection) {
    this.#feed = feed;
    this.#into = into;
    this.#announced = new Set(feed.meanings);
  }

  prefix(text: string, word: RangeWord): void {
    const prefix = parseLoosePrefix(text.trim());
    if (prefix === undefined) {
      this.malformed++;
      return;
    }
    const { address, bits } = prefix;
    for (let w = 0; w < address.words.length; w++) {
      const free = Math.max(0, Math.min(32, 32 * (w + 1) - bits));
      this.#last[w] = (address.words[w] ?? 0) + (2 ** free - 1);
    }
    this.#add(address, this.#last, word);
  }

  range(first: string, last: string, word: RangeWord): void {
    const from = parseAddress(first.trim());
    const to = parseAddress(last.trim());
    if (from === undefined || to?.version !== from.version || isBefore(to.words, from.words))
      this.malformed++;
    else this.#add(from, to.words, word);
  }

  network(asn: number | string, word: NetworkWord): void {
    const digits = /^(?:AS)?([1-9][0-9]{0,9})$/i.exec(String(asn).trim())?.[1];
    const number = Number(digits);
    if (!(number <= 0xffff_ffff)) this.malformed++;
    else if (isSpecialAsn(number)) this.stripped++;
    else {
      const id = this.#internNetworkWord(word);
      this.#into.networks.add([number], [number], id);
      this.#count();
    }
  }

  /** @throws {FeedError} when too much of it was malformed. */
  finish(): void {
    const most = Math.max(MALFORMED_ROWS, MALFORMED_SHARE * (this.rows + this.stripped));
    if (this.malformed > most) throw new FeedError(`${this.malformed} of its rows are malformed`);
  }

  #add(first: Address, last: readonly number[], word: RangeWord): void {
    if (isTooWide(first, last) || isSpecial(first, last)) {
      this.stripped++;
      return;
    }
    const ranges = first.version === 4 ? this.#into.ipv4 : this.#into.ipv6;
    ranges.add(first.words, last, this.#internWord(word));
    this.#count();
  }

  #count(): void {
    if (++this.rows > this.#feed.maxRows) throw new FeedError(`it has more than ${this.#feed.maxRows} rows`);
  }

  #internWord({ meaning, label, place }: RangeWord): number {
    const key = `${meaning}\0${label ?? ""}\0${place === undefined ? "" : `${place.country}\0${place.region ?? ""}\0${place.city ?? ""}`}`;
    const id = this.#intern(key, this.#into.words, () => {
      if (!this.#announced.has(meaning))
        throw new FeedError(`it says "${meaning}", which it does not announce`);
      const region = boundText(place?.region);
      const city = boundText(place?.city);
      const isPlace = place !== undefined && /^[A-Z]{2}$/.test(place.country);
      return {
        meaning,
        ...optional("label", boundText(label)),
        ...(isPlace
          ? { place: { country: place.country, ...optional("region", region), ...optional("city", city) } }
          : {}),
      };
    });
    if (!this.meanings.has(id)) this.meanings.set(id, meaning);
    return id;
  }

  #internNetworkWord(word: NetworkWord): number {
    const { asClass, meaning, name, country } = word;
    const key = `${asClass ?? ""}\0${meaning ?? ""}\0${country ?? ""}\0${name ?? ""}`;
    const id = this.#intern(key, this.#into.networkWords, () => ({
      ...optional("asClass", asClass),
      ...optional("meaning", meaning),
      ...optional("name", boundText(name)),
      ...(country !== undefined && /^[A-Z]{2}$/.test(country) ? { country } : {}),
    }));
    if (!this.networkWords.has(id)) this.networkWords.set(id, word);
    return id;
  }

  #intern(key: string, pool: ValuePool, spell: () => object): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const limit = this.#feed.networks === true ? this.#feed.maxRows : MAX_WORDS;
    if (this.#ids.size >= limit) throw new FeedError("it says too many different things");
    const id = pool.intern(JSON.stringify({ feed: this.#feed.id, ...spell() }));
    this.#ids.set(key, id);
    return id;
  }
}

function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>); // one key, as computed
}

function boundText(text: string | undefined): string | undefined {
  const clean = text
    ?.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, MAX_TEXT)
    .toWellFormed();
  return clean === "" ? undefined : clean;
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const w = a.findIndex((word, index) => word !== b[index]);
  return w >= 0 && (a[w] ?? 0) < (b[w] ?? 0);
}

function isTooWide(first: Address, last: readonly number[]): boolean {
  const span = (last[0] ?? 0) - (first.words[0] ?? 0) + 1;
  return span > (first.version === 4 ? MAX_IPV4_SPAN : MAX_IPV6_TOP_SPAN);
}

/** A range is judged by its ends; what lies within is judged anew for every address that is looked up. */
function isSpecial(first: Address, last: readonly number[]): boolean {
  if (findSpecialPurpose(first) !== undefined) return true;
  const isOne = first.words.every((word, w) => word === last[w]);
  if (isOne) return false;
  const words = first.version === 4 ? [last[0] ?? 0] : last;
  return findSpecialPurpose({ text: "", version: first.version, words }) !== undefined;
}

/** Reserved, documentation and private use: https://www.iana.org/assignments/iana-as-numbers-special-registry */
function isSpecialAsn(asn: number): boolean {
  return asn === 23_456 || (asn >= 64_496 && asn <= 131_071) || asn >= 4_200_000_000;
}
