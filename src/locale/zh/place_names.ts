import { readTsv } from "#tsv";
import table from "./place_names.tsv" with { type: "text" };

/** Chinese names by country and English name, as `CN beijing`. */
const NAMES: ReadonlyMap<string, string> = new Map(
  readTsv(table, ["country", "name", "chinese"]).map(({ country, name, chinese }) => [
    `${country} ${name}`,
    chinese,
  ]),
);

/** A part of the city in brackets, as some tables write it: `Tokyo (Chiyoda)`. */
const DISTRICT = / \([^()]*\)$/;

/** Returns the Chinese name of a city, province or state, or the name unchanged when it is not in the table. */
export function translatePlace(country: string, name: string): string {
  const key = name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replace(DISTRICT, "");
  return NAMES.get(`${country} ${key}`) ?? name;
}
