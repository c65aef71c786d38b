import type { FeedContent } from "./feed_content.ts";

/**
 * What membership of a list means. `relay` = a privacy relay of known users; `hosting` = rentable servers;
 * `cdn` = an edge that fetches for others; `search_bot` and `ai_bot` = a crawler, `user_fetcher` = a service fetching
 * because somebody asked it to; `abuse`, `severe`, `botnet` as in a listing; `anycast` = one address in many places.
 */
export const LIST_MEANINGS = [
  "tor_exit",
  "tor_relay",
  "relay",
  "vpn",
  "proxy",
  "hosting",
  "cdn",
  "search_bot",
  "ai_bot",
  "user_fetcher",
  "abuse",
  "severe",
  "botnet",
  "anycast",
  "satellite",
] as const;
export type ListMeaning = (typeof LIST_MEANINGS)[number];

/** What the operator of an autonomous system does. */
export const AS_CLASSES = [
  "hosting",
  "cdn",
  "content",
  "vpn",
  "isp",
  "mobile",
  "satellite",
  "education",
  "government",
  "business",
  "carrier",
  "personal",
] as const;
export type AsClass = (typeof AS_CLASSES)[number];

/** Where a list places a range: ISO 3166-1 alpha-2 country, and names as the list writes them. */
export interface ListPlace {
  readonly country: string;
  readonly region?: string;
  readonly city?: string;
}

/** What a list says about a range. `label` names the provider, bot, operator or entry; few distinct ones a feed. */
export interface RangeWord {
  readonly meaning: ListMeaning;
  readonly label?: string;
  readonly place?: ListPlace;
}

/** What a list says about an autonomous system. */
export interface NetworkWord {
  readonly asClass?: AsClass;
  readonly meaning?: ListMeaning;
  readonly name?: string;
  readonly country?: string;
}

/**
 * Takes what a feed says. Rows that are no address, range or AS number are counted as malformed, special-purpose
 * space and prefixes shorter than /8 (/16 for IPv6) as stripped; too many malformed rows refuse the download.
 */
export interface FeedSink {
  /** `text` is a prefix (host bits are cleared) or a bare address; blanks around it are ignored. */
  prefix(text: string, word: RangeWord): void;
  /** From the first to the last address, both included. */
  range(first: string, last: string, word: RangeWord): void;
  /** A number or `AS64496` / `64496`. */
  network(asn: number | string, word: NetworkWord): void;
}

/** One file of a feed. */
export interface FeedFile {
  /** https; its host joins the allow-list. */
  readonly url: string;
  /** Where the name changes with time: URLs on that host to try in place of `url`, the next when one is not found. */
  readonly urls?: (nowMs: number) => readonly string[];
  /** Most bytes of the download, as it is and decoded. */
  readonly maxBytes: number;
  /** Content types accepted, by prefix; default: anything but HTML. */
  readonly contentTypes?: readonly string[];
  /** The file itself is gzip: at most this many bytes unpacked. */
  readonly unpackedBytes?: number;
  /** `url` is a page that names the file: finds its URL in the page, whose host must be in `hosts`. */
  readonly find?: (page: string) => string | undefined;
  /** Redirects followed, to known hosts only; default 0. */
  readonly redirects?: number;
  /** The feed is accepted without this file. */
  readonly optional?: true;
}

/** What a feed tells about itself: the date of its data, YYYY-MM-DD, where the file says so. */
export interface FeedFacts {
  readonly date?: string;
}

/** A list that is downloaded: where it is, what it means, what it must look like, and how it is read. */
export interface Feed<Id extends string = string> {
  /** snake_case; source id, folder of its downloads and of its fixtures. */
  readonly id: Id;
  /** Display name, a proper noun that needs no translation. */
  readonly name: string;
  /** Whose data it really is; agreement counts families. */
  readonly family: string;
  readonly licence: string;
  /** The credit the publisher asks for. */
  readonly attribution?: string;
  readonly homepage: string;
  /** Page where a listing is explained or removed; `{ip}` stands for the address. */
  readonly delistUrl?: string;
  readonly files: readonly FeedFile[];
  /** More hosts that redirects and `find` may lead to. */
  readonly hosts?: readonly string[];
  /** Headers that the publisher asks for; never a key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Terms demand a contact in the User-Agent. */
  readonly needsContact?: true;
  readonly noncommercial?: true;
  /** Everything it may say about ranges, and whether it speaks about autonomous systems. */
  readonly meanings: readonly ListMeaning[];
  readonly networks?: true;
  /** The publisher is the authority on these: its word alone is enough. */
  readonly authority?: true;
  /** IP versions of which the list is complete: an address that is not on it is a "no" (Tor exits, relay egress). */
  readonly complete?: readonly (4 | 6)[];
  /** Share in coverage; 1 = one ordinary source. Default 0.1. */
  readonly weight?: number;
  /** How often it is fetched. Twice that old it is ageing, eight times that old it no longer speaks. */
  readonly cadenceMs: number;
  /** Age at which it no longer speaks; default eight times the cadence. */
  readonly expiresMs?: number;
  /** Rows (ranges and networks together) a download must have and may have. */
  readonly minRows: number;
  readonly maxRows: number;
  /** Smallest share of the last good one's rows that is believed, default 0.5; and the largest, default 3. */
  readonly maxShrink?: number;
  readonly maxGrow?: number;
  /**
   * Reads one file; called once for each that was fetched, in order (`content.index` says which). Pure.
   * @throws {FeedError} when the file is not what it must be.
   */
  parse(content: FeedContent, sink: FeedSink): FeedFacts;
}
