import { type Assessment, FLAGS } from "#report";

/** One row's matter: the line as read, and an assessment or the reason why there is none. */
export interface BatchRow {
  readonly input: string;
  readonly assessment?: Assessment;
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

/** Columns of a row, each a fact of the assessment. */
const COLUMNS = [
  ["ip", ({ address }) => address],
  ["purity", ({ purity }) => purity],
  ["level", ({ band }) => band],
  ["confidence", ({ confidence }) => confidence],
  ["usageType", ({ usage }) => usage],
  ["nativeType", ({ native }) => native],
  ["flags", ({ flags }) => FLAGS.filter((flag) => flags[flag]).join(" ")],
  ["country", ({ geo }) => geo?.country ?? ""],
  ["asn", ({ asn }) => asn?.asn ?? ""],
  ["asName", ({ asn }) => asn?.name ?? ""],
  ["listed", ({ listings }) => listings.filter((one) => one.listed && !one.benign).length],
  ["unavailable", ({ sources }) => sources.filter(({ state }) => state === "failed").length],
  ["queriedAt", ({ surveyedAt }) => surveyedAt],
] as const satisfies readonly (readonly [string, (assessment: Assessment) => string | number])[];

const NAMES = ["input", ...COLUMNS.map(([name]) => name), "error"];

/** The writer of a format. */
export function rowWriterOf(format: RowFormat): RowWriter {
  return format === "csv"
    ? { head: `${NAMES.map(quote).join(",")}\n`, row: writeCsv }
    : { head: "", row: writeJson };
}

function writeJson({ input, assessment, problem }: BatchRow): string {
  const row: Record<string, string | number> = { input: input.slice(0, MAX_INPUT_LENGTH) };
  if (assessment !== undefined) {
    for (const [name, read] of COLUMNS) {
      const value = read(assessment);
      if (value !== "" || name === "flags") row[name] = value;
    }
  }
  if (problem !== undefined) row.error = problem;
  return `${JSON.stringify(row)}\n`;
}

function writeCsv({ input, assessment, problem }: BatchRow): string {
  const values = COLUMNS.map(([, read]) => (assessment === undefined ? "" : read(assessment)));
  return `${[input.slice(0, MAX_INPUT_LENGTH), ...values, problem ?? ""].map(quote).join(",")}\n`;
}

/** A cell that a spreadsheet would take for a formula begins with an apostrophe (https://owasp.org/www-community/attacks/CSV_Injection). */
function quote(value: string | number): string {
  const text = String(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  const tame = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${tame.replaceAll('"', '""')}"`;
}
