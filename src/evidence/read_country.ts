/** Codes that name no country: EU and AP of registry files, and ISO 3166-1's user-assigned ones but Kosovo's XK. */
const NO_COUNTRY = /^(?:EU|AP|AA|Q[M-Z]|X[A-JL-Z]|ZZ)$/;

/** An ISO 3166-1 alpha-2 code in upper case, or undefined for anything that names no country. */
export function readCountry(code: string | undefined): string | undefined {
  const upper = code?.toUpperCase();
  return upper !== undefined && /^[A-Z]{2}$/.test(upper) && !NO_COUNTRY.test(upper) ? upper : undefined;
}
