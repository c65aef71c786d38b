import * as v from "valibot";
import { DAY_MS } from "#common";

/**
 * The tables: origin AS, registration country, country of use; and without a seed, place of use, and the place that the
 * operator declares.
 */
export const TABLE_IDS = ["asn", "registration", "country", "city", "geofeed"] as const;
export type TableId = (typeof TABLE_IDS)[number];

export interface AsnRow {
  readonly asn: number;
  readonly name: string;
}

export interface TableValues {
  readonly asn: AsnRow;
  readonly registration: string;
  readonly country: string;
  readonly city: ListPlace;
  readonly geofeed: ListPlace;
}

/** How a value of each table is read from its text. */
export const TABLE_DECODERS: { readonly [Id in TableId]: (text: string) => TableValues[Id] } = {
  asn: parseAsnRow,
  registration: decodeCountry,
  country: decodeCountry,
  city: parsePlaceRow,
  geofeed: parsePlaceRow,
};

function decodeCountry(text: string): string {
  const country = readCountry(text);
  if (country === undefined) throw new RangeError(`Cannot read "${text}" as a country`);
  return country;
}

/** Reads an ISO 3166-1 alpha-2 country; undefined for the codes of "no country" (`ZZ`, `XX`) and anything else. */
export function readCountry(text: string): string | undefined {
  return /^[A-Z]{2}$/.test(text) && text !== "ZZ" && text !== "XX" ? text : undefined;
}

/** Reads the place of a row of a geofeed (RFC 8805 section 2.1.1); undefined when it has no country. */
export function readPlace(
  country: string | undefined,
  region: string | undefined,
  city: string | undefined,
): ListPlace | undefined {
  const code = readCountry((country ?? "").trim().toUpperCase());
  if (code === undefined) return undefined;
  const regionName = region?.trim() ?? "";
  const cityName = city?.trim() ?? "";
  return {
    country: code,
    ...(regionName === "" ? {} : { region: regionName }),
    ...(cityName === "" ? {} : { city: cityName }),
  };
}

/** Longest names kept. */
const MAX_AS_NAME = 200;
const MAX_PLACE_NAME = 100;

/** Formats the value text of an AS: its number, a blank, its name. */
export function formatAsnRow(row: AsnRow): string {
  return `${row.asn} ${cleanName(row.name, MAX_AS_NAME)}`;
}

/** Reads what {@link formatAsnRow} wrote. @throws RangeError when it is anything else. */
export function parseAsnRow(text: string): AsnRow {
  const blank = text.indexOf(" ");
  const digits = text.slice(0, Math.max(blank, 0));
  if (!/^[1-9][0-9]{0,9}$/.test(digits)) throw new RangeError(`Cannot read "${text}" as an AS`);
  return { asn: Number(digits), name: text.slice(blank + 1) };
}

/** Formats the value text of a place: country, region and city with tabs between. */
export function formatPlaceRow({ country, region = "", city = "" }: ListPlace): string {
  return `${country}\t${cleanName(region, MAX_PLACE_NAME)}\t${cleanName(city, MAX_PLACE_NAME)}`;
}

/** Reads what {@link formatPlaceRow} wrote. @throws RangeError when it is anything else. */
function parsePlaceRow(text: string): ListPlace {
  const [country, region, city, ...rest] = text.split("\t", 4);
  const place = city === undefined || rest.length > 0 ? undefined : readPlace(country, region, city);
  if (place === undefined) throw new RangeError(`Cannot read "${text}" as a place`);
  return place;
}

/** Replaces control characters and bounds the length. */
function cleanName(name: string, maxLength: number): string {
  return name
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
}

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
