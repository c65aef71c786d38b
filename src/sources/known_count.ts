/** A whole number from 0, written as a number or in decimal digits; anything else is no count. */
export function knownCount(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
