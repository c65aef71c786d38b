/** The time zones of a country, and the languages that are widely used in it. Empty where nothing is known. */
export interface CountryProfile {
  /** IANA names, sorted. */
  readonly timeZones: readonly string[];
  /** BCP 47 tags without a country, such as `de` or `zh-Hant`. */
  readonly languages: readonly string[];
}

/**
 * Countries with several widely used languages, the most used first: languages that are official in the country or in a
 * part of it, or that at least 20% of the people use. Only languages with a code of two letters, and `fil`. From
 * Unicode CLDR 48.2, territoryInfo, without further languages (https://cldr.unicode.org/). In every other country the
 * likely language of CLDR is the only one.
 */
const LANGUAGES = `
  AD ca es; AE ar en; AF fa ps tk; AM hy ru; AS sm en; AT de en hr sl hu; BA bs en hr sr; BE en nl fr de;
  BG bg en ru; BI rn fr en; BO es qu ay; BQ nl; BW en tn; BY ru be; BZ en es; CA en fr iu; CC en; CD fr sw ln kg;
  CF sg fr; CH de en fr it rm; CM fr en; CN zh ug za bo ko; CW nl; CY el en tr; CZ cs en; DE de en; DJ fr aa so ar;
  DK da en de kl; DZ ar fr; EC es qu; EE et ru en fi; EG ar en; ER ti en ar; ES es en ca gl eu oc; ET en am om;
  FI fi en sv; FJ en hi fj; FR fr en; GB en cy ga gd; GE ka ab os; GH ak en ee; GI en es; GN fr ff; GQ es fr pt;
  GR el en; GU en ch; HK zh-Hant en; HR hr en it; HT ht fr; HU hu en; ID id jv; IE en ga; IL he en ar; IM en gv;
  IN hi en bn te mr ta ur gu kn ml or pa as ne ks sd sa; IQ ar en; IT it en fr; JO ar en; KE sw en; KG ky ru;
  KM ar fr; KZ ru kk; LB ar en fr; LK si ta; LS st en; LT lt ru en; LU fr lb de en; LV lv en ru; MA ar fr;
  MG mg fr en; MH en mh; MK mk sq; ML bm fr; MO zh-Hant en pt; MT mt en it; MU fr en; MV dv en; MW en ny; MY ms en;
  NA af kj ng en; NE ha fr; NG en yo; NL nl en de fy; NO nb no nn se; NR en na; NZ en mi; PE es qu; PF fr ty;
  PG en ho; PH en fil es; PK ur en; PL pl en de lt; PR es en; PT pt en; PW en; PY gn es; RO ro en;
  RS sr hu ro hr sk uk; RU ru tt ba ce av kv; RW rw en fr; SC fr en; SD ar en; SE sv en fi; SG en zh ms ta;
  SI sl hr en de; SJ nb ru; SK sk cs en de; SN wo fr ff; SO so ar; SS ar en; ST pt fr; SX en nl; SZ en ss;
  TD ar fr; TH th en; TK en sm; TN ar fr; TO to en; TV en; TW zh-Hant; TZ sw en; UA uk ru; UG sw en; US en es;
  VA it la; VU bi en fr; WS sm en; XK sq sr; ZA en zu xh af tn st ts ss ve nr; ZW sn en nd
`;

const LANGUAGES_OF = new Map(
  LANGUAGES.split(";").map((row) => {
    const [country = "", ...languages] = row.trim().split(" ");
    return [country, languages] as const;
  }),
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
