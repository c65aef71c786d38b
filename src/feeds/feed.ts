import * as v from "valibot";
import {
  AS_CLASSES,
  LIST_MEANINGS,
  type ListMeaning,
  type NetworkInfo,
  type RangeInfo,
  type TableId,
} from "#datasets";
import type { FeedContent } from "./feed_content.ts";

/**
 * Receives the rows of a feed. A row that is not an address, prefix or AS number counts as malformed; special-purpose
 * space and prefixes shorter than /8 (/16 for IPv6) count as stripped. With too many malformed rows the download is
 * refused.
 */
export interface FeedSink {
  /** `text` is a prefix (host bits are cleared) or a bare address; blanks around it are ignored. */
  prefix(text: string, info: RangeInfo): void;
  /** A number or `AS64496` / `64496`. */
  network(asn: number | string, info: NetworkInfo): void;
}

const meaning = v.exactOptional(v.picklist(LIST_MEANINGS));
const text = v.exactOptional(v.string());
const texts = v.exactOptional(v.pipe(v.array(v.string()), v.readonly()));
const number = v.exactOptional(v.number());
const flag = v.exactOptional(v.literal(true));

/** A row of `lists.json`, with periods in hours. */
export const ListRowSchema = v.strictObject({
  /** In snake_case: id of the source, name of the folders of its downloads and fixtures. */
  id: v.string(),
  /** Display name, a proper noun that needs no translation. */
  name: v.string(),
  /** For contributors. */
  about: v.string(),
  /** Publisher of the data; agreement counts families, not feeds. */
  family: v.string(),
  licence: v.string(),
  /** The credit the publisher asks for. */
  attribution: text,
  homepage: v.string(),
  /** Page where a listing is explained or removed; `{ip}` stands for the address. */
  delistUrl: text,
  files: v.array(
    v.strictObject({
      /** An https URL; its host is added to the allowed hosts. */
      url: v.string(),
      /** A pattern of links on the page `url`. Of several links the one with the last text in its group is the file. */
      find: text,
      /** Maximum bytes of the download, before and after content decoding. */
      maxBytes: v.number(),
      /** Accepted content types, by prefix; default: all except HTML. */
      contentTypes: texts,
      /** For a file that is gzip itself: maximum bytes after unpacking. */
      unpackedBytes: number,
      /** Maximum redirects, to allowed hosts only; default 0. */
      redirects: number,
      /** The feed is accepted without this file. */
      optional: flag,
      /** What an entry of this file means; without it, that of the list. */
      meaning,
      label: text,
      asClass: v.exactOptional(v.picklist(AS_CLASSES)),
    }),
  ),
  /** More allowed hosts, for redirects and `find`. */
  hosts: texts,
  /** Name of the reader of its files. */
  format: v.string(),
  /** For the format `json`: see `readJsonAddresses`. */
  paths: texts,
  datePath: text,
  /** For a list of lines: the pattern of a comment with the date of the data. */
  datePattern: text,
  meaning,
  /** All meanings, where the reader itself gives some of them. */
  meanings: v.exactOptional(v.array(v.picklist(LIST_MEANINGS))),
  label: text,
  /** It has entries about autonomous systems. */
  networks: flag,
  /** Blocks outside which its ranges are left out, because they have another meaning there. Default: none is. */
  within: texts,
  /** The terms require a contact in the User-Agent. */
  needsContact: flag,
  noncommercial: flag,
  /** The terms forbid passing the data on, or want to be asked first. `limpid export` leaves the list out. */
  notRedistributable: flag,
  /** The publisher is the authority on these ranges, so one such list is enough. */
  authority: flag,
  /** IP versions for which the list is complete: an address that is not in it is a "no" (Tor exits, relay egress). */
  complete: v.exactOptional(v.pipe(v.array(v.picklist([4, 6])), v.readonly())),
  /** Feeds of the same publisher: what this feed says about an address is ignored when one of them contains the address. */
  yieldsTo: texts,
  /** Time between downloads. Data of twice that age is ageing. */
  cadenceHours: v.number(),
  /** Age at which the data is expired; default eight times the cadence. */
  expiresHours: number,
  /**
   * Age at which unchanged content no longer counts, even when the publisher still serves it: for lists whose entries
   * are true for a short time and have no time of their own. Default: no limit.
   */
  maxContentAgeHours: number,
  /** Minimum and maximum rows (ranges and networks together) of a download. */
  minRows: v.number(),
  maxRows: v.number(),
  /** Minimum and maximum rows as a factor of the last good download's; default 0.5 and 3. */
  maxShrink: number,
  maxGrow: number,
});
export type ListRow = v.InferOutput<typeof ListRowSchema>;

export interface FeedFile
  extends Readonly<Omit<ListRow["files"][number], "find" | "meaning" | "label" | "asClass">> {
  /** For a name that changes with time: URLs on that host to use in place of `url`; after a 404 the next one. */
  readonly urls?: (nowMs: number) => readonly string[];
  /** For a `url` that is a page with a link to the file: finds the URL of the file; its host must be in `hosts`. */
  readonly find?: (page: string) => string | undefined;
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

/** The fields of a row that mean the same in its feed. */
type RowFields = Omit<
  ListRow,
  "id" | "about" | "files" | "format" | "meanings" | `${"cadence" | "expires" | "maxContentAge"}Hours`
>;

/** A list that is downloaded: its row with periods in milliseconds, and how it is read. */
export interface Feed extends Readonly<RowFields> {
  readonly id: string;
  readonly files: readonly FeedFile[];
  /** Request headers that the publisher asks for; never a key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** All meanings that its ranges may have. */
  readonly meanings: readonly ListMeaning[];
  /**
   * For a list that counts other lists: how many independent voices an entry stands for, read from its label;
   * undefined for other labels.
   */
  readonly countVoices?: (label: string) => number | undefined;
  /** Weight in coverage; 1 = one ordinary source. Default 0.1. */
  readonly weight?: number;
  readonly cadenceMs: number;
  readonly expiresMs?: number;
  readonly maxContentAgeMs?: number;
  /**
   * Reads one file; called once for each downloaded file, in order (`content.index` is its position). Pure.
   * @throws {FeedError} when the file has a wrong format.
   */
  parse(content: FeedContent, sink: FeedSink): FeedFacts;
}

/** Reads a file with ranges. `info` is what the row says about an entry of this file. Throws as {@link Feed.parse}. */
export type RangeReader = (content: FeedContent, sink: FeedSink, info: RangeInfo, row: ListRow) => FeedFacts;

/** Reads a file with AS numbers. Throws as {@link Feed.parse}. */
export type NetworkReader = (content: FeedContent, sink: FeedSink, row: ListRow) => FeedFacts;

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
export interface TableFeed
  extends Pick<
    Feed,
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

/** Lists, and downloads that replace the seed of a table. */
export interface AllFeeds {
  readonly feeds: readonly Feed[];
  readonly tables: readonly TableFeed[];
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
