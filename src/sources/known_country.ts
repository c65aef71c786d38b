/** Codes of regions and of nowhere that registries write in place of a country. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(["AP", "EU", "XX", "ZZ"]);

/** An ISO 3166-1 alpha-2 code in upper case; anything else, `EU` and `ZZ` included, names no country. */
export function knownCountry(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const code = value.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRIES.has(code) ? code : undefined;
}
