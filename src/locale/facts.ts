import type { Data, Language } from "#report";

/** Stands in a sentence for a fact that the stored document does not have. */
const MISSING = "?";

const COUNTRY_NAMES = {
  zh: new Intl.DisplayNames("zh-Hans", { type: "region", fallback: "code" }),
  en: new Intl.DisplayNames("en", { type: "region", fallback: "code" }),
} as const;

// At most 676 entries a language: only codes of two capital letters are kept.
const countryCache = { zh: new Map<string, string>(), en: new Map<string, string>() } as const;

/** Formats one fact: numbers as digits, lists joined with `comma`, `?` when it is absent. */
export function factText(data: Data, key: string, comma?: string): string {
  return findText(data, key, comma) ?? MISSING;
}

/** Formats one fact like {@link factText}, but returns `undefined` when it is absent or empty. */
export function findText(data: Data, key: string, comma = ", "): string | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : value?.join(comma);
  return text === "" ? undefined : text;
}

/** Returns one fact as a number, or `undefined` when it is absent or not a finite number. */
export function findNumber(data: Data, key: string): number | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Returns one fact as a list: a string becomes a list of one, anything else an empty list. */
export function factList(data: Data, key: string): readonly string[] {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (typeof value === "string") return value === "" ? [] : [value];
  return typeof value === "object" ? value : [];
}

/** Looks up the id in a fact; returns `fallback` for an id that the table does not have. */
export function nameById(
  table: Readonly<Record<string, string>>,
  data: Data,
  key: string,
  fallback: string,
): string {
  const id = factText(data, key);
  return Object.hasOwn(table, id) ? (table[id] ?? fallback) : fallback;
}

/** Formats all facts as `name: value; name: value`, for ids without a text. The same in every language. */
export function formatFacts(data: Data): string {
  return Object.keys(data)
    .map((key) => `${key}: ${factText(data, key)}`)
    .join("; ");
}

/**
 * Returns the name of a country (Unicode CLDR) in a language, or `code` itself when it has no name.
 * `code` should be ISO 3166-1 alpha-2, but any string is accepted.
 */
export function nameCountry(code: string, language: Language): string {
  const cached = countryCache[language].get(code);
  if (cached !== undefined) return cached;
  if (!/^[A-Z]{2}$/.test(code)) return code;
  // ZZ is "unknown region" in CLDR, which is not a country.
  const name = code === "ZZ" ? code : (COUNTRY_NAMES[language].of(code) ?? code);
  countryCache[language].set(code, name);
  return name;
}
