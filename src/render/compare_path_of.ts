import type { Language } from "#report";

/** Path of the page that sets candidates side by side. */
export function comparePathOf(language: Language): string {
  return language === "en" ? "/en/compare" : "/compare";
}
