import type { Language } from "#report";

/** The language of a page's words as BCP 47 writes it. */
export function languageTagOf(language: Language): string {
  return language === "en" ? "en" : "zh-Hans";
}
