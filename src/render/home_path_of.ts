import type { Language } from "#report";

/** Path of the front page. */
export function homePathOf(language: Language): string {
  return language === "en" ? "/en" : "/";
}
