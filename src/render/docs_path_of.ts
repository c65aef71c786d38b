import type { Language } from "#report";

/** Path of the page that describes the interface. */
export function docsPathOf(language: Language): string {
  return language === "en" ? "/en/docs" : "/docs";
}
