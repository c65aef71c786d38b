import { parseAnswer } from "../read_answer.ts";
import type { Source } from "../source.ts";
import { type CountryAnswer, CountryAnswerSchema, TABLE_FRESH_DAYS } from "./table_answer.ts";

/** The country in which the address block is registered, as the regional registries publish it. */
export const registration = {
  id: "registration",
  name: "RIR registration table",
  kind: "free",
  family: "rir",
  matters: ["registry"],
  weight: 0.5,
  versions: [4, 6],
  timeoutMs: 1000,
  local: true,
  freshDays: TABLE_FRESH_DAYS,
  ask: (address, { datasets }): CountryAnswer => ({
    country: datasets.registration(address) ?? null,
    date: datasets.state("registration").date ?? null,
  }),
  read: (answer) => {
    const { country, date } = parseAnswer(CountryAnswerSchema, answer);
    if (country === null) return undefined;
    return { registry: { country }, ...(date === null ? {} : { dataDate: date }) };
  },
} as const satisfies Source;
