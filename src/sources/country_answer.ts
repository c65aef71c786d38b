import * as v from "valibot";

/** The answer of a table of countries. */
export interface CountryAnswer {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly date: string | null;
}

/** A country of ISO 3166-1 alpha-2, or none; and the date of the table. */
export const CountryAnswerSchema = v.object({
  country: v.nullable(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))),
  date: v.nullable(v.string()),
});
