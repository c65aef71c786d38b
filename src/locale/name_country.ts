import type { Language } from "#report";

const NAMES = {
  zh: new Intl.DisplayNames("zh-Hans", { type: "region", fallback: "code" }),
  en: new Intl.DisplayNames("en", { type: "region", fallback: "code" }),
} as const;

// Bounded: only pairs of capital letters enter, 676 a language.
const remembered = { zh: new Map<string, string>(), en: new Map<string, string>() } as const;

/**
 * The name of a country in a language (names from Unicode CLDR); the code itself where none is known.
 * `code` is ISO 3166-1 alpha-2, but any string is answered.
 */
export function nameCountry(code: string, language: Language): string {
  const known = remembered[language].get(code);
  if (known !== undefined) return known;
  if (!/^[A-Z]{2}$/.test(code)) return code;
  // ZZ is CLDR's "unknown region": no country, so the code stands for itself.
  const name = code === "ZZ" ? code : (NAMES[language].of(code) ?? code);
  remembered[language].set(code, name);
  return name;
}
