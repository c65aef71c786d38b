/** A country as ISO 3166-1 alpha-2 writes it; undefined for the codes that say "none" (`ZZ`, `XX`) and all else. */
export function readCountry(text: string): string | undefined {
  return /^[A-Z]{2}$/.test(text) && text !== "ZZ" && text !== "XX" ? text : undefined;
}
