import type { Answer, TableFacts } from "#lookup";
import { type Assessment, FLAGS, type Flag } from "#report";

/** The facts about one address in a row of a batch. */
export interface BatchFacts
  extends Pick<Assessment, "address" | "purity" | "band" | "confidence" | "usage" | "native" | "surveyedAt"> {
  readonly flags: readonly Flag[];
  readonly country?: string;
  readonly asn?: number;
  readonly asName?: string;
  /** Number of lists that list it, without policy and informational listings. */
  readonly listed: number;
  /** Number of lists that could not be queried. */
  readonly unavailable: number;
  /** Number of sources that failed; a list that could not be queried is one of them, unless it was skipped. */
  readonly failed: number;
  /** Number of live sources that answered; absent when no live source is queried. */
  readonly heard?: number;
}

/** Takes the facts from the answer of a lookup. */
export function factsOfAnswer(
  { assessment, heard }: Pick<Answer, "assessment" | "heard">,
  live: boolean,
): BatchFacts {
  const { address, purity, band, confidence, usage, native, surveyedAt, flags, listings, sources } =
    assessment;
  const isPublic = !flags.isBogon;
  return {
    address,
    purity,
    band,
    confidence,
    usage,
    native,
    surveyedAt,
    flags: FLAGS.filter((flag) => flags[flag]),
    ...networkOf(assessment),
    listed: listings.filter((one) => one.listed && !one.benign).length,
    unavailable: listings.filter((one) => one.unavailable).length,
    failed: sources.filter(({ state }) => state === "failed").length,
    ...(live && isPublic ? { heard } : {}),
  };
}

/** Takes the same facts from the tables. `surveyedAt` is RFC 3339 UTC. */
export function factsOfTables(address: string, facts: TableFacts, surveyedAt: string): BatchFacts {
  const {
    purity,
    band,
    confidence,
    usage,
    native,
    flags,
    country,
    asn,
    asName,
    listed,
    unavailable,
    failed,
  } = facts;
  return {
    address,
    purity,
    band,
    confidence,
    usage,
    native,
    surveyedAt,
    flags: FLAGS.filter((flag) => flags[flag]),
    ...(country === undefined ? {} : { country }),
    ...(asn === undefined ? {} : { asn }),
    ...(asName === undefined ? {} : { asName }),
    listed,
    unavailable,
    failed,
  };
}

function networkOf({
  geo,
  asn,
}: Pick<Assessment, "geo" | "asn">): Pick<BatchFacts, "country" | "asn" | "asName"> {
  return {
    ...(geo?.country === undefined ? {} : { country: geo.country }),
    ...(asn?.asn === undefined ? {} : { asn: asn.asn }),
    ...(asn?.name === undefined ? {} : { asName: asn.name }),
  };
}

/** One row: the input line, and the facts or the reason why there are none. */
export interface BatchRow {
  readonly input: string;
  readonly facts?: BatchFacts;
  readonly problem?: "invalid_ip" | "unavailable";
}

/** One JSON object per line (https://github.com/ndjson/ndjson-spec), or comma-separated values (RFC 4180), all quoted. */
export type RowFormat = "ndjson" | "csv";

/** Formats rows. `head` is the first line of a file. Every row ends with a line feed. */
export interface RowWriter {
  readonly head: string;
  readonly row: (row: BatchRow) => string;
}

const MAX_INPUT_LENGTH = 64;

/** The columns of a row between `input` and `error`. */
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
  ["unavailable", ({ unavailable }) => unavailable],
  ["failed", ({ failed }) => failed],
  ["queriedAt", ({ surveyedAt }) => surveyedAt],
] as const satisfies readonly (readonly [string, (facts: BatchFacts) => string | number])[];

const NAMES = ["input", ...COLUMNS.map(([name]) => name), "error"];

/** Returns the writer of a format. */
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

/** Prefixes text that a spreadsheet would read as a formula with an apostrophe (https://owasp.org/www-community/attacks/CSV_Injection). */
function quote(value: string | number): string {
  const text = String(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  const escaped = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${escaped.replaceAll('"', '""')}"`;
}
