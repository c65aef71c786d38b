import { knownText } from "./known_text.ts";

/** A name of the IANA time zone database (https://www.iana.org/time-zones), by its form; anything else is none. */
export function knownTimezone(value: unknown): string | undefined {
  const name = knownText(value);
  return name !== undefined && /^[A-Za-z_]{1,32}(?:\/[\w+-]{1,32}){0,2}$/.test(name) ? name : undefined;
}
