/** One vendor's access to its service, by country of the address. */
export interface Vendor {
  readonly name: string;
  /** Countries (ISO 3166-1 alpha-2) that are surely not on the vendor's published list; doubtful ones are left out. */
  readonly unsupported: ReadonlySet<string>;
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
    { name: "OpenAI", unsupported: codes("BY CN CU HK IR KP MO RU SY VE") },
    { name: "Anthropic", unsupported: codes("AF BY CN CU HK IR KP MO RU SY VE") },
    { name: "Gemini API", unsupported: codes("AF BY CN CU HK IR KP MM MO RU SY") },
  ],
};

/** Whether none of the vendors supports the country. */
export function isUnsupportedByAll(country: string): boolean {
  return AI_REGIONS.vendors.every((vendor) => vendor.unsupported.has(country));
}

function codes(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
