import type { ListPlace } from "./feeds/feed.ts";
import { readPlace } from "./feeds/read_place.ts";

/** Longest name kept. */
const MAX_NAME = 100;

/** The value text of a place: country, region, city, tabs between; names made safe (no control characters, bounded). */
export function formatPlaceRow({ country, region = "", city = "" }: ListPlace): string {
  return `${country}\t${cleanName(region)}\t${cleanName(city)}`;
}

/** Reads what {@link formatPlaceRow} wrote. @throws RangeError when it is anything else. */
export function parsePlaceRow(text: string): ListPlace {
  const [country, region, city, ...rest] = text.split("\t", 4);
  const place = city === undefined || rest.length > 0 ? undefined : readPlace(country, region, city);
  if (place === undefined) throw new RangeError(`Cannot read "${text}" as a place`);
  return place;
}

function cleanName(name: string): string {
  return name
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();
}
