import type { BatchFacts } from "./batch_facts.ts";

/** One row's matter: the line as read, and the facts or the reason why there is none. */
export interface BatchRow {
  readonly input: string;
  readonly facts?: BatchFacts;
  readonly problem?: "invalid_ip" | "unavailable";
}

/** JSON objects a line (https://github.com/ndjson/ndjson-spec), or comma-separated values (RFC 4180), all quoted. */
export type RowFormat = "ndjson" | "csv";

/** Writes rows; `head` is the line that a file begins with. Every row ends with a line feed. */
export interface RowWriter {
  readonly head: string;
  readonly row: (row: BatchRow) => string;
}

const MAX_INPUT_LENGTH = 64;

/** Columns of a row. */
const COLUMNS = [
  ["ip", ({ address }) => address],
  ["purity", ({ purity }) => purity],
  ["level", ({ band }) => band],
  ["confidence", ({ confidence }) => confidence],
  ["usageType", ({ usage }) => usage],
  ["nativeType", ({ native }) => native],
  ["flags", ({ flags }) => flags.join(" ")],
  ["country", ({ country }) => country ?? ""],
  ["asn", ({ asn }) => asn ?? ""],
  ["asName", ({ asName }) => asName ?? ""],
  ["listed", ({ listed }) => listed],
  ["unavailable", ({ failed }) => failed],
  ["queriedAt", ({ surveyedAt }) => surveyedAt],
] as const satisfies readonly (readonly [string, (facts: BatchFacts) => string | number])[];

const NAMES = ["input", ...COLUMNS.map(([name]) => name), "error"];

/** The writer of a format. */
export function rowWriterOf(format: RowFormat): RowWriter {
  return format === "csv"
    ? { head: `${NAMES.map(quote).join(",")}\n`, row: writeCsv }
    : { head: "", row: writeJson };
}

function writeJson({ input, facts, problem }: BatchRow): string {
  const row: Record<string, string | number> = { input: input.slice(0, MAX_INPUT_LENGTH) };
  if (facts !== undefined) {
    for (const [name, read] of COLUMNS) {
      const value = read(facts);
      if (value !== "" || name === "flags") row[name] = value;
    }
  }
  if (problem !== undefined) row.error = problem;
  return `${JSON.stringify(row)}\n`;
}

function writeCsv({ input, facts, problem }: BatchRow): string {
  const values = COLUMNS.map(([, read]) => (facts === undefined ? "" : read(facts)));
  return `${[input.slice(0, MAX_INPUT_LENGTH), ...values, problem ?? ""].map(quote).join(",")}\n`;
}

/** A cell that a spreadsheet would take for a formula begins with an apostrophe (https://owasp.org/www-community/attacks/CSV_Injection). */
function quote(value: string | number): string {
  const text = String(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  const tame = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${tame.replaceAll('"', '""')}"`;
}
