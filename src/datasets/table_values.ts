import { parseAsnRow } from "./asn_row.ts";
import type { AsnRow, TableId } from "./datasets.ts";
import type { ListPlace } from "./feeds/feed.ts";
import { parsePlaceRow } from "./place_row.ts";
import { readCountry } from "./read_country.ts";

/** What the rows of each table hold. */
export interface TableValues {
  readonly asn: AsnRow;
  readonly registration: string;
  readonly country: string;
  readonly city: ListPlace;
}

/** How a value of each table is read from its text. */
export const TABLE_DECODERS: { readonly [Id in TableId]: (text: string) => TableValues[Id] } = {
  asn: parseAsnRow,
  registration: decodeCountry,
  country: decodeCountry,
  city: parsePlaceRow,
};

function decodeCountry(text: string): string {
  const country = readCountry(text);
  if (country === undefined) throw new RangeError(`Cannot read "${text}" as a country`);
  return country;
}
