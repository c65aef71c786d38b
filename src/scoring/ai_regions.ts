/** One vendor's access to its service, by country of the address. */
export interface Vendor {
  readonly name: string;
  /** Countries (ISO 3166-1 alpha-2) that are surely not on the vendor's published list. */
  readonly unsupported: ReadonlySet<string>;
  /** Countries that one published list leaves out and a newer one may have: neither promised nor denied. */
  readonly unclear: ReadonlySet<string>;
}

/**
 * Where AI services are not offered, as their vendors publish it. A vendor names whom it supports, so this is
 * "not in the published list as of this date" and no more. Dependent territories follow their parent, except
 * Hong Kong and Macao, which every vendor judges on their own. Parts of countries cannot be told by address.
 * https://developers.openai.com/api/docs/supported-countries, https://www.anthropic.com/supported-countries,
 * https://ai.google.dev/gemini-api/docs/available-regions
 */
export const AI_REGIONS: { readonly asOf: string; readonly vendors: readonly Vendor[] } = {
  asOf: "2026-11-21",
  vendors: [
    { name: "OpenAI", unsupported: codes("BY CN CU HK IR KP MO RU SY VE"), unclear: codes("XK") },
    {
      name: "Anthropic",
      unsupported: codes("AF BY CN CU HK IR KP MO RU SY VE"),
      unclear: codes("LY ML MM NI SD SO SS XK YE"),
    },
    {
      name: "Gemini API",
      unsupported: codes("AF BY CN CU HK IR KP MM MO RU SY"),
      unclear: codes("MC MD SM VA"),
    },
  ],
};

/** Names of the vendors that surely do not support the country. */
export function vendorsAgainst(country: string): readonly string[] {
  return AI_REGIONS.vendors.filter((it) => it.unsupported.has(country)).map((it) => it.name);
}

/** Names of the vendors of whom it is not clear. */
export function vendorsUnclear(country: string): readonly string[] {
  return AI_REGIONS.vendors.filter((it) => it.unclear.has(country)).map((it) => it.name);
}

function codes(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
