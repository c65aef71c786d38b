import type { Language } from "#report";

/** The page of an address: built on the configured origin alone, whatever host a client names. */
export function reportUrlOf(baseUrl: string, address: string, language: Language): string {
  return `${baseUrl}${reportPathOf(address, language)}`;
}

/** Its path. The colons of IPv6 may stand in a path as they are (RFC 3986, 3.3). */
export function reportPathOf(address: string, language: Language): string {
  return `${language === "en" ? "/en" : ""}/ip/${address}`;
}

/** Path of the page that sets candidates side by side. */
export function comparePathOf(language: Language): string {
  return language === "en" ? "/en/compare" : "/compare";
}
