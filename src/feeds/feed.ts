import type { ListMeaning, NetworkInfo, RangeInfo, TableId } from "#datasets";
import type { FeedContent } from "./feed_content.ts";

/**
 * Receives the rows of a feed. A row that is not an address, range or AS number counts as malformed; special-purpose
 * space and prefixes shorter than /8 (/16 for IPv6) count as stripped. With too many malformed rows the download is
 * refused.
 */
export interface FeedSink {
  /** `text` is a prefix (host bits are cleared) or a bare address; blanks around it are ignored. */
  prefix(text: string, info: RangeInfo): void;
  /** From the first to the last address, both included. */
  range(first: string, last: string, info: RangeInfo): void;
  /** A number or `AS64496` / `64496`. */
  network(asn: number | string, info: NetworkInfo): void;
}

/** One file of a feed. */
export interface FeedFile {
  /** An https URL; its host is added to the allowed hosts. */
  readonly url: string;
  /** For a name that changes with time: URLs on that host to use in place of `url`; after a 404 the next one. */
  readonly urls?: (nowMs: number) => readonly string[];
  /** Maximum bytes of the download, before and after content decoding. */
  readonly maxBytes: number;
  /** Accepted content types, by prefix; default: all except HTML. */
  readonly contentTypes?: readonly string[];
  /** For a file that is gzip itself: maximum bytes after unpacking. */
  readonly unpackedBytes?: number;
  /** For a `url` that is a page with a link to the file: finds the URL of the file; its host must be in `hosts`. */
  readonly find?: (page: string) => string | undefined;
  /** Maximum redirects, to allowed hosts only; default 0. */
  readonly redirects?: number;
  /** The feed is accepted without this file. */
  readonly optional?: true;
  /**
   * When this file cannot be downloaded, its last good version is used with the new versions of the other files. The
   * failure is kept in the state of the feed, and the next attempt is early.
   */
  readonly keepsLast?: true;
}

/** Facts about the data of a file: its date, YYYY-MM-DD, if the file has one. */
export interface FeedFacts {
  readonly date?: string;
}

/** A list that is downloaded: its files, what its entries mean, the bounds it must keep, and how it is read. */
export interface Feed<Id extends string = string> {
  /** In snake_case: id of the source, name of the folders of its downloads and fixtures. */
  readonly id: Id;
  /** Display name, a proper noun that needs no translation. */
  readonly name: string;
  /** Publisher of the data; agreement counts families, not feeds. */
  readonly family: string;
  readonly licence: string;
  /** The credit the publisher asks for. */
  readonly attribution?: string;
  readonly homepage: string;
  /** Page where a listing is explained or removed; `{ip}` stands for the address. */
  readonly delistUrl?: string;
  readonly files: readonly FeedFile[];
  /** More allowed hosts, for redirects and `find`. */
  readonly hosts?: readonly string[];
  /** Request headers that the publisher asks for; never a key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The terms require a contact in the User-Agent. */
  readonly needsContact?: true;
  readonly noncommercial?: true;
  /** The terms forbid passing the data on, or want to be asked first. `limpid export` leaves the list out. */
  readonly notRedistributable?: true;
  /** Blocks outside which its ranges are left out, because they have another meaning there. Default: none is. */
  readonly within?: readonly string[];
  /** All meanings that its ranges may have, and whether it has entries about autonomous systems. */
  readonly meanings: readonly ListMeaning[];
  readonly networks?: true;
  /** The publisher is the authority on these ranges, so one such list is enough. */
  readonly authority?: true;
  /**
   * For a list that counts other lists: how many independent voices an entry stands for, read from its label;
   * undefined for other labels.
   */
  readonly countVoices?: (label: string) => number | undefined;
  /** IP versions for which the list is complete: an address that is not in it is a "no" (Tor exits, relay egress). */
  readonly complete?: readonly (4 | 6)[];
  /** Feeds of the same publisher: what this feed says about an address is ignored when one of them contains the address. */
  readonly yieldsTo?: readonly string[];
  /** Weight in coverage; 1 = one ordinary source. Default 0.1. */
  readonly weight?: number;
  /** Time between downloads. Data of twice that age is ageing; data of eight times that age is expired. */
  readonly cadenceMs: number;
  /** Age at which the data is expired; default eight times the cadence. */
  readonly expiresMs?: number;
  /**
   * Age at which unchanged content no longer counts, even when the publisher still serves it: for lists whose entries
   * are true for a short time and have no time of their own. Default: no limit.
   */
  readonly maxContentAgeMs?: number;
  /** Minimum and maximum rows (ranges and networks together) of a download. */
  readonly minRows: number;
  readonly maxRows: number;
  /** Minimum and maximum rows as a factor of the last good download's; default 0.5 and 3. */
  readonly maxShrink?: number;
  readonly maxGrow?: number;
  /**
   * Reads one file; called once for each downloaded file, in order (`content.index` is its position). Pure.
   * @throws {FeedError} when the file has a wrong format.
   */
  parse(content: FeedContent, sink: FeedSink): FeedFacts;
}

/**
 * Receives the rows of a table. A row that is not an address, range or prefix counts as malformed; a range wider than
 * the space of any holder is left out. With too many malformed rows the download is refused. `value` is the text of the
 * value.
 */
export interface TableSink {
  /** From the first to the last address, both included. */
  range(first: string, last: string, value: string): void;
  /** A number of IPv4 addresses from the first one on; not always a prefix. */
  count(first: string, addresses: number, value: string): void;
  prefix(text: string, value: string): void;
  /** The ends in words, most significant first: one for IPv4, four for IPv6. They are copied. */
  words(first: Uint32Array, last: Uint32Array, value: string): void;
  /** Counts a row that has no range at all. */
  malformed(): void;
}

/** A download that replaces the seed of a whole table. */
export interface TableFeed<Id extends string = string>
  extends Pick<
    Feed<Id>,
    | "id"
    | "name"
    | "family"
    | "licence"
    | "attribution"
    | "homepage"
    | "files"
    | "hosts"
    | "headers"
    | "cadenceMs"
    | "expiresMs"
  > {
  readonly table: TableId;
  /** Must be increased when the same download results in another table. */
  readonly revision: number;
  /** Minimum ranges of a download by family, and maximum in all. */
  readonly minRanges: { readonly ipv4: number; readonly ipv6: number };
  readonly maxRanges: number;
  /** Total memory that a machine must have, because compiling the table needs much of it. */
  readonly needsMemoryBytes?: number;
  /**
   * Reads one file; called once for each, in order. Pure.
   * @throws {FeedError} when the file has a wrong format.
   */
  parse(content: FeedContent, sink: TableSink): FeedFacts | Promise<FeedFacts>;
}

/** Gives the HTTPS hosts that a feed is downloaded from, sorted. */
export function feedHosts(feed: Pick<Feed, "files" | "hosts">): readonly string[] {
  const hosts = feed.files.map((file) => new URL(file.url).hostname);
  return [...new Set([...hosts, ...(feed.hosts ?? [])])].sort();
}

/** Age in cadences at which data is expired by default. */
const EXPIRED_CADENCES = 8;

/**
 * Whether a download is too old to be used. In milliseconds: `fetchedAt` is the time at which its content was
 * new, `checkedAt` the time at which the publisher last served it.
 */
export function isFeedExpired(
  feed: Pick<Feed, "cadenceMs" | "expiresMs"> & Partial<Pick<Feed, "maxContentAgeMs">>,
  good: { readonly fetchedAt: number; readonly checkedAt: number },
  nowMs: number,
): boolean {
  return (
    nowMs - good.checkedAt > (feed.expiresMs ?? EXPIRED_CADENCES * feed.cadenceMs) ||
    (feed.maxContentAgeMs !== undefined && nowMs - good.fetchedAt > feed.maxContentAgeMs)
  );
}
