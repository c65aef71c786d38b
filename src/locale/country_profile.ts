import { readTsv } from "#tsv";
import table from "./country_languages.tsv" with { type: "text" };

/** The time zones of a country, and the languages that are widely used in it. Empty where nothing is known. */
export interface CountryProfile {
  /** IANA names, sorted. */
  readonly timeZones: readonly string[];
  /** BCP 47 tags without a country, such as `de` or `zh-Hant`. */
  readonly languages: readonly string[];
}

/** Countries with several widely used languages. In every other country the likely language of CLDR is the only one. */
const LANGUAGES_OF: ReadonlyMap<string, readonly string[]> = new Map(
  readTsv(table, ["country", "languages"]).map(({ country, languages }) => [country, languages.split(" ")]),
);

const NOTHING: CountryProfile = { timeZones: [], languages: [] };

// At most 676 entries: only codes of two capital letters are kept. Asking the runtime takes up to 2 ms.
const profiles = new Map<string, CountryProfile>();

/**
 * Returns the time zones and the widely used languages of a country (ISO 3166-1 alpha-2). Both are empty for a code that
 * names no country. The time zones are those of the ICU data in the runtime.
 */
export function describeCountry(code: string): CountryProfile {
  if (!/^[A-Z]{2}$/.test(code)) return NOTHING;
  const profile = profiles.get(code) ?? findProfile(code);
  profiles.set(code, profile);
  return profile;
}

function findProfile(code: string): CountryProfile {
  const locale = new Intl.Locale(`und-${code}`);
  const timeZones = locale.getTimeZones() ?? [];
  const listed = LANGUAGES_OF.get(code);
  // CLDR has a likely language for unknown codes too, and it is English.
  const likely = timeZones.length === 0 ? [] : [locale.maximize().language];
  return { timeZones, languages: listed ?? likely };
}
