import type { Language } from "#report";

/** Path of an address's report; `suffix` such as `.json` chooses another shape. */
export function reportPathOf(ip: string, language: Language, suffix = ""): string {
  // encodeURIComponent would also write an IPv6 colon as %3A, which a path need not (RFC 3986, 3.3).
  const name = encodeURIComponent(ip).replaceAll("%3A", ":");
  return `${language === "en" ? "/en" : ""}/ip/${name}${suffix}`;
}
