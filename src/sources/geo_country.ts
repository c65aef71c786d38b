import { type CountryAnswer, CountryAnswerSchema } from "./country_answer.ts";
import { readShape } from "./read_shape.ts";
import type { Source } from "./source.ts";

/** The country in which the address is used, as DB-IP places it (https://db-ip.com, CC BY 4.0). */
export const geoCountry = {
  id: "geo_country",
  name: "DB-IP country table",
  kind: "free",
  family: "dbip",
  matters: ["location"],
  weight: 0.5,
  versions: [4, 6],
  timeoutMs: 1000,
  local: true,
  ask: async (address, { datasets }): Promise<CountryAnswer> => ({
    country: datasets.country(address) ?? null,
    date: datasets.state("country").date ?? null,
  }),
  read: (answer) => {
    const { country, date } = readShape(CountryAnswerSchema, answer);
    if (country === null) return undefined;
    return { geo: { country }, ...(date === null ? {} : { dataDate: date }) };
  },
} as const satisfies Source;
