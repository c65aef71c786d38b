/**
 * An AS number from 1 to 4294967294 (RFC 7607 keeps 0, RFC 7300 the last one), written as a number, in digits or as
 * `AS64500`, perhaps with the holder's name behind it; anything else names no network.
 */
export function knownAsn(value: unknown): number | undefined {
  const digits = typeof value === "string" ? /^\s*(?:AS)?(\d{1,10})(?=\s|$)/i.exec(value)?.[1] : undefined;
  const number = digits === undefined ? value : Number(digits);
  const isAsn = typeof number === "number" && Number.isInteger(number) && number > 0 && number < 0xffffffff;
  return isAsn ? number : undefined;
}
