/**
 * Readers for single fields of an answer. Each takes any value and returns the clean value, or undefined when the
 * field says nothing usable. They never throw.
 */
import { type Address, isWithin, parseLoosePrefix } from "#address";
import type { Network, Place, UsageType } from "#report";

/** Words that vendors write for "we do not know". */
const UNKNOWN_WORDS: ReadonlySet<string> = new Set(["unknown", "n/a", "null", "none", "-"]);
/** Codes for regions and for "no country" that registries write in place of a country. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(["AP", "EU", "XX", "ZZ"]);
/** The global routing table does not carry longer prefixes, so a longer prefix is not a route. */
const MAX_ROUTE_BITS = { 4: 24, 6: 48 } as const;
/** `2026-10-01`, optionally a time after `T` or a blank, a fraction, and `Z` or an offset. Without an offset it is UTC. */
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?)?$/;
const MAX_HOST_NAME_CHARACTERS = 253;
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reads a string and trims it. Blank strings and words such as "unknown" or "N/A" give undefined. */
export function readText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" || UNKNOWN_WORDS.has(text.toLowerCase()) ? undefined : text;
}

/** Reads an integer from 0 to 2^53 - 1, written as a number or in decimal digits. */
export function readCount(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** Reads an ISO 3166-1 alpha-2 code and returns it in upper case. `EU`, `ZZ` and the like are not countries. */
export function readCountry(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const code = value.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRIES.has(code) ? code : undefined;
}

/** Reads a name of the IANA time zone database (https://www.iana.org/time-zones). Only its syntax is checked. */
export function readTimezone(value: unknown): string | undefined {
  const name = readText(value);
  return name !== undefined && /^[A-Za-z_]{1,32}(?:\/[\w+-]{1,32}){0,2}$/.test(name) ? name : undefined;
}

/**
 * Reads an AS number from 1 to 4294967294 (RFC 7607 reserves 0, RFC 7300 the last one). It may be a number, digits, or
 * `AS64500`, optionally followed by the holder's name.
 */
export function readAsn(value: unknown): number | undefined {
  const digits = typeof value === "string" ? /^\s*(?:AS)?(\d{1,10})(?=\s|$)/i.exec(value)?.[1] : undefined;
  const number = digits === undefined ? value : Number(digits);
  const isAsn = typeof number === "number" && Number.isInteger(number) && number > 0 && number < 0xffffffff;
  return isAsn ? number : undefined;
}

/** Reads a prefix that contains the address and is short enough to be a route. Host bits are cleared. */
export function readRoute(value: unknown, address: Address): string | undefined {
  const prefix = parseLoosePrefix(readText(value) ?? "");
  if (prefix === undefined || !isWithin(address, prefix)) return undefined;
  return prefix.bits > 0 && prefix.bits <= MAX_ROUTE_BITS[address.version] ? prefix.text : undefined;
}

export function readPlace(country: unknown, region?: unknown, city?: unknown, timezone?: unknown): Place {
  return omitEmpty({
    country: readCountry(country),
    region: readText(region),
    city: readText(city),
    timezone: readTimezone(timezone),
  });
}

/** Reads the network of an address. A route must contain the address. */
export function readNetwork(
  fields: {
    readonly asn: unknown;
    readonly name?: unknown;
    readonly org?: unknown;
    readonly route?: unknown;
  },
  address?: Address,
): Network {
  return omitEmpty({
    asn: readAsn(fields.asn),
    name: readText(fields.name),
    org: readText(fields.org),
    route: address && readRoute(fields.route, address),
  });
}

/** What several vendors call the kinds of companies. */
export const COMPANY_USES: ReadonlyMap<string, UsageType> = new Map([
  ["isp", "residential"],
  ["business", "business"],
  ["hosting", "hosting"],
  ["education", "education"],
  ["government", "government"],
]);

/** Attacks by their names, for vendors that say which there were and not how many: each counts once. */
export function countOnce(
  marks: Readonly<Record<string, boolean | string | null | undefined>>,
): Record<string, 1> {
  const seen = Object.keys(marks).filter((mark) => marks[mark] === true);
  return Object.fromEntries(seen.map((mark) => [mark, 1]));
}

/** Reads a use by a vendor's words, in lower case: that of the first value that has one. */
export function readUsage(
  uses: ReadonlyMap<string, UsageType>,
  ...values: readonly unknown[]
): UsageType | undefined {
  return values
    .map((value) => uses.get(readText(value)?.toLowerCase() ?? ""))
    .find((usage) => usage !== undefined);
}

/** Reads a date or a time and returns it as RFC 3339 text in UTC and whole seconds. */
export function readTimestamp(value: unknown): string | undefined {
  const parts = typeof value === "string" ? TIMESTAMP.exec(value.trim()) : null;
  const [, day, time = "00:00:00", zone = "Z"] = parts ?? [];
  // `Date.parse` reads 31 February as 3 March, so the day must come back unchanged.
  if (day === undefined || toUtc(`${day}T00:00:00Z`)?.startsWith(day) !== true) return undefined;
  return toUtc(`${day}T${time}${zone}`);
}

function toUtc(text: string): string | undefined {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Reads an http or https URL and returns it in normal form. */
export function readWebUrl(value: unknown): string | undefined {
  const url = URL.parse(readText(value) ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}

/**
 * Reads a host name and returns it in lower case without the final dot. RFC 1123 section 2.1: letters, digits and
 * hyphens, at least two labels, the last one not all digits.
 */
export function readHostName(text: string): string | undefined {
  if (text.length > MAX_HOST_NAME_CHARACTERS + 1) return undefined;
  const name = text.toLowerCase().replace(/\.$/, "");
  const labels = name.split(".");
  const isName =
    name.length <= MAX_HOST_NAME_CHARACTERS &&
    labels.length >= 2 &&
    labels.every((label) => HOST_LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "");
  return isName ? name : undefined;
}

/** The fields without those that are undefined, an empty object or an empty list. */
type Present<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Copies the object without the fields that are undefined, an empty object or an empty list. */
export function omitEmpty<const Fields extends object>(fields: Fields): Present<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && !isEmptyObject(value));
  // Fields are only removed, and every field of the result type is optional.
  return Object.fromEntries(entries) as Present<Fields>;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
