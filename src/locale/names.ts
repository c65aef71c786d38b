import type { Assessment, Data, Flag, Language, SourceAnswer, UsageType } from "#report";
import { readTsv } from "#tsv";
import { factList } from "./fill.ts";
import names from "./names.json" with { type: "json" };
import statedFacts from "./stated_facts.json" with { type: "json" };
import interfaceZh from "./zh/interface.json" with { type: "json" };
import table from "./zh/place_names.tsv" with { type: "text" };
import chineseNames from "./zh/source_names.json" with { type: "json" };

/** One name for every language, or a name in each. */
type Names = Readonly<Record<string, string | Readonly<Record<Language, string>>>>;

/**
 * Names of source families. The name of a family with one source is the name of that source; the names of the sources of
 * a larger family begin with its name.
 */
const FAMILIES: Names = names.families;

/** Chinese forms of the names of sources that are words and no brands. */
const CHINESE_NAMES: Readonly<Record<string, string>> = chineseNames;

/** Returns the name of a source in a language. A brand is the same in every language. */
export function nameSource(name: string, language: Language): string {
  return language === "zh" && Object.hasOwn(CHINESE_NAMES, name) ? (CHINESE_NAMES[name] ?? name) : name;
}

/** Names the sources among the facts of a sentence. */
export function nameSources(data: Data, language: Language): Data {
  if (language !== "zh") return data;
  const named = Object.entries(data).map(([key, value]): [string, Data[string]] => [
    key,
    Array.isArray(value) ? value.map((name: string) => nameSource(name, language)) : value,
  ]);
  return Object.fromEntries(named);
}

/** Returns the name of a source family, or its id when it has no name: stored documents may have unknown ids. */
export function nameFamily(family: string, language: Language): string {
  const name = Object.hasOwn(FAMILIES, family) ? FAMILIES[family] : undefined;
  return typeof name === "object" ? name[language] : nameSource(name ?? family, language);
}

/** Lists the purposes of special-purpose blocks, or the kinds of attack that sources report, by id. */
export function namesOf(group: "purposes" | "attacks", language: Language): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names[group]).map(([id, name]) => [id, name[language]]));
}

/** What a source states when it supports a factor, by the id of the factor. */
export const STATED = statedFacts as Readonly<
  Partial<Record<string, { readonly flag?: Flag; readonly usage?: UsageType }>>
>;

/**
 * Lists who supports a factor, by the names that the list of sources shows: the sources of each family that state it, or
 * the family where no source does, such as our own tables.
 */
export function nameReporters(
  factor: string,
  data: Data,
  sources: Assessment["sources"],
  language: Language,
): readonly string[] {
  const stated = Object.hasOwn(STATED, factor) ? STATED[factor] : undefined;
  const speaking = sources.filter(({ answer }) => answer !== undefined && isStated(answer, stated));
  const names = factList(data, "families").flatMap((family) => {
    const begins = family === "apple" ? "icloud" : nameFamily(family, "en").toLowerCase();
    const members = speaking.filter((source) => source.name.toLowerCase().startsWith(begins));
    return members.length === 0
      ? [nameFamily(family, language)]
      : members.map(({ name }) => nameSource(name, language));
  });
  return [...new Set(names)];
}

function isStated({ flags, usageType }: SourceAnswer, stated: (typeof STATED)[string]): boolean {
  if (stated?.flag !== undefined && flags?.[stated.flag] === true) return true;
  return stated?.usage !== undefined && usageType === stated.usage;
}

/**
 * Chinese texts of the descriptions of the interface, by their English text, which is in the declarations
 * (`src/http/routes`, `src/http/openapi`, `src/report`).
 */
const INTERFACE: Readonly<Record<string, string>> = interfaceZh;

/**
 * Returns a description of the interface in a language, from its English text. Returns `undefined` for a text without a
 * Chinese form.
 */
export function describeInterface(text: string, language: Language): string | undefined {
  if (language === "en") return text;
  return Object.hasOwn(INTERFACE, text) ? INTERFACE[text] : undefined;
}

const COUNTRY_NAMES = {
  zh: new Intl.DisplayNames("zh-Hans", { type: "region", fallback: "code" }),
  en: new Intl.DisplayNames("en", { type: "region", fallback: "code" }),
} as const;

// At most 676 entries a language: only codes of two capital letters are kept.
const countryCache = { zh: new Map<string, string>(), en: new Map<string, string>() } as const;

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

/** Countries whose English names have the article in a sentence. */
const WITH_ARTICLE: ReadonlySet<string> = new Set(names.withArticle);

/** Returns the name of a country like {@link nameCountry}, as it stands inside a sentence: `the Netherlands`. */
export function nameCountryInSentence(code: string, language: Language): string {
  const name = nameCountry(code, language);
  return language === "en" && WITH_ARTICLE.has(code) ? `the ${name}` : name;
}

/** Chinese names by country and English name, as `CN beijing`. */
const NAMES: ReadonlyMap<string, string> = new Map(
  readTsv(table, ["country", "name", "chinese"]).map(({ country, name, chinese }) => [
    `${country} ${name}`,
    chinese,
  ]),
);

/** A part of the city in brackets, as some tables write it: `Tokyo (Chiyoda)`. */
const DISTRICT = / \([^()]*\)$/;

/** Returns the Chinese name of a city, province or state, or the name unchanged when it is not in the table. */
export function translatePlace(country: string, name: string): string {
  const key = name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replace(DISTRICT, "");
  return NAMES.get(`${country} ${key}`) ?? name;
}
