import type { ListPlace } from "./list_entry.ts";

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
