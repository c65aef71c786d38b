import { readCountry } from "../read_country.ts";
import type { ListPlace } from "./feed.ts";

/** The place of a geofeed's row (RFC 8805 section 2.1.1): without a country it is none. */
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
