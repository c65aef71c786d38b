import * as v from "valibot";

/** The tables are published monthly. A table is ageing when three newer issues exist. */
export const TABLE_FRESH_DAYS = 92;

/** The answer of a table of countries. */
export interface CountryAnswer {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** Date of the table. */
  readonly date: string | null;
}

/** Schema of a {@link CountryAnswer}. */
export const CountryAnswerSchema = v.object({
  country: v.nullable(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))),
  date: v.nullable(v.string()),
});
