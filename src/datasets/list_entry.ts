import * as v from "valibot";
import { DAY_MS } from "#common";

/**
 * The meaning of a range in a list. `relay` = a privacy relay of known users; `hosting` = rentable servers; `cdn` = a
 * content network that fetches for others; `search_bot` and `ai_bot` = a crawler; `user_fetcher` = a service that
 * fetches because a user asked for it; `abuse`, `severe`, `botnet` as in a listing; `anycast` = one address in many
 * places.
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

/**
 * Meanings that accuse an address. Nobody leaves from a public resolver or a root server, so a list that says so of one is
 * wrong.
 */
export const ACCUSING_MEANINGS: ReadonlySet<ListMeaning> = new Set([
  "tor_exit",
  "tor_relay",
  "relay",
  "vpn",
  "proxy",
  "abuse",
  "severe",
  "botnet",
]);

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

const text = v.exactOptional(v.string());

/** Where a list places a range: ISO 3166-1 alpha-2 country, and names as the list writes them. */
const ListPlaceSchema = v.strictObject({ country: v.string(), region: text, city: text });
export type ListPlace = Readonly<v.InferOutput<typeof ListPlaceSchema>>;

const ListEntrySchema = v.strictObject({
  feed: v.string(),
  meaning: v.picklist(LIST_MEANINGS),
  /** Names the provider, bot or operator; a feed has few distinct ones. */
  label: text,
  place: v.exactOptional(ListPlaceSchema),
});

/** An entry of a list about a range, and what it says. */
export type ListEntry = Readonly<v.InferOutput<typeof ListEntrySchema>>;
export type RangeInfo = Omit<ListEntry, "feed">;

const NetworkEntrySchema = v.strictObject({
  feed: v.string(),
  asClass: v.exactOptional(v.picklist(AS_CLASSES)),
  meaning: v.exactOptional(v.picklist(LIST_MEANINGS)),
  name: text,
  country: text,
  /** Date on which a registry assigned the number, YYYY-MM-DD. */
  registered: text,
});

/** An entry of a list about an autonomous system, and what it says. */
export type NetworkEntry = Readonly<v.InferOutput<typeof NetworkEntrySchema>>;
export type NetworkInfo = Omit<NetworkEntry, "feed">;

const ListEntriesSchema = v.array(ListEntrySchema);
const NetworkEntriesSchema = v.array(NetworkEntrySchema);

/** Parses the value of a row of the table of lists. @throws when it is not valid. */
export function parseListEntries(text: string): readonly ListEntry[] {
  return v.parse(ListEntriesSchema, JSON.parse(text));
}

/** Parses the value of a row of the table of networks. @throws when it is not valid. */
export function parseNetworkEntries(text: string): readonly NetworkEntry[] {
  return v.parse(NetworkEntriesSchema, JSON.parse(text));
}

/**
 * Whether data of this age, in milliseconds, is fresh. Data from the future shows that a clock is wrong, so its age is
 * not known. A day is allowed: many dates have no time.
 */
export function isFresh(ageMs: number, maxAgeMs: number): boolean {
  return ageMs >= -DAY_MS && ageMs <= maxAgeMs;
}

/** The kind of a refusal, for programs: `implausible` = the download covers more, or less, than is possible. */
export type RefusalReason = "implausible";

/**
 * The state of one feed. `ready` = its entries are used; otherwise `problem` says why not. Times and ages are in
 * milliseconds; the age counts from the last time the server confirmed the data, that of a snapshot from its date.
 */
export interface FeedState {
  readonly id: string;
  readonly ready: boolean;
  /**
   * `fresh` up to twice its cadence, `snapshot` when the list that ships with the program is used, `expired` when no data
   * is recent enough, `absent` when there is none.
   */
  readonly freshness: "fresh" | "ageing" | "snapshot" | "expired" | "absent";
  readonly problem?: string;
  readonly ageMs?: number;
  /** Date of the data (YYYY-MM-DD): of the snapshot, from the list if it has one, otherwise the day of its download. */
  readonly date?: string;
  readonly rows?: number;
  readonly stripped?: number;
  readonly bytes?: number;
  readonly fetchedAt?: number;
  readonly dueAt?: number;
  /** The last failure since the last success. */
  readonly error?: { readonly at: number; readonly problem: string; readonly reason?: RefusalReason };
}
