import type { Language } from "#report";

/** Path of the page that tells the method. */
export function methodPathOf(language: Language): string {
  return language === "en" ? "/en/method" : "/method";
}
