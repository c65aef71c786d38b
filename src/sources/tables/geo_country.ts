import * as v from "valibot";
import { parseAnswer } from "../read_answer.ts";
import type { Source } from "../source.ts";
import { type CountryAnswer, CountryAnswerSchema, TABLE_FRESH_DAYS } from "./table_answer.ts";

/** The answer of the country table, or of the city table, which adds the names of region and city. */
interface PlaceAnswer extends CountryAnswer {
  readonly region?: string;
  readonly city?: string;
}

const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(100));
const PlaceAnswerSchema = v.object({
  ...CountryAnswerSchema.entries,
  region: v.optional(Name),
  city: v.optional(Name),
});

/**
 * The place in which the address is used, from DB-IP (https://db-ip.com, CC BY 4.0): from the city table once it has
 * been downloaded, until then from the country table.
 */
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
  freshDays: TABLE_FRESH_DAYS,
  ask(address, { datasets }): PlaceAnswer {
    const { ready, date = null } = datasets.state("city");
    if (ready) return { country: null, ...datasets.place(address), date };
    return {
      country: datasets.country(address) ?? null,
      date: datasets.state("country").date ?? null,
    };
  },
  read: (answer) => {
    const { country, region, city, date } = parseAnswer(PlaceAnswerSchema, answer);
    if (country === null) return undefined;
    const geo = {
      country,
      ...(region === undefined ? {} : { region }),
      ...(city === undefined ? {} : { city }),
    };
    return { geo, ...(date === null ? {} : { dataDate: date }) };
  },
} as const satisfies Source;
