import * as v from "valibot";
import { parseAnswer } from "../read_answer.ts";
import type { Source } from "../source.ts";
import { TABLE_FRESH_DAYS } from "./table_answer.ts";

const AnswerSchema = v.object({
  row: v.nullable(v.object({ asn: v.pipe(v.number(), v.safeInteger(), v.minValue(1)), name: v.string() })),
  date: v.nullable(v.string()),
});

/** The network that announced the address when the table was made. A missing row does not mean "not announced today". */
export const asnTable = {
  id: "asn_table",
  name: "ASN table",
  kind: "free",
  family: "routeviews",
  matters: ["network"],
  weight: 0.5,
  versions: [4, 6],
  timeoutMs: 1000,
  local: true,
  freshDays: TABLE_FRESH_DAYS,
  ask: (address, { datasets }) => ({
    row: datasets.asn(address) ?? null,
    date: datasets.state("asn").date ?? null,
  }),
  read: (answer) => {
    const { row, date } = parseAnswer(AnswerSchema, answer);
    if (row === null) return undefined;
    return {
      asn: { asn: row.asn, ...(row.name === "" ? {} : { name: row.name }) },
      ...(date === null ? {} : { dataDate: date }),
    };
  },
} as const satisfies Source;
