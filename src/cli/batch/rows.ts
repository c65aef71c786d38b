import type { Address } from "#address";
import { EXIT } from "#app";
import { rememberBy } from "#common";
import type { Answer, TableFacts } from "#lookup";
import type { summarizeText } from "#network";
import { decide, FLAGS, readPolicyFacts, SCENARIOS } from "#report";

/** The facts in a row of a batch. Rows with the same evidence may share one object. */
export interface BatchFacts extends Omit<TableFacts, "agreement" | "coverage" | "low" | "purpose"> {
  /** Absent in a stored report of an older scoring version, as is `low`. */
  readonly coverage?: number;
  readonly low?: number;
  /** Number of live sources that answered; absent when no live source is queried. */
  readonly answered?: number;
}

/** The facts about one address, and when they were found (RFC 3339 UTC). */
export interface Judgement {
  readonly facts: BatchFacts;
  readonly surveyedAt: string;
}

/** Takes the facts from the answer of a lookup. */
export function factsOfAnswer(
  { assessment, liveAnswers }: Pick<Answer, "assessment" | "liveAnswers">,
  live: boolean,
): BatchFacts {
  const { purity, coverage, range, band, confidence, usage, native, flags } = assessment;
  const { geo, asn, listings, sources, scenarios } = assessment;
  const isPublic = !flags.isBogon;
  return {
    purity,
    band,
    confidence,
    usage,
    native,
    flags,
    ...readPolicyFacts(assessment),
    ...(coverage === undefined ? {} : { coverage: coverage.total }),
    ...(range === undefined ? {} : { low: range.low }),
    ...(geo?.country === undefined ? {} : { country: geo.country }),
    ...(asn?.asn === undefined ? {} : { asn: asn.asn }),
    ...(asn?.name === undefined ? {} : { asName: asn.name }),
    scenarios,
    listed: listings.filter((one) => one.listed && !one.benign).length,
    unavailable: listings.filter((one) => one.unavailable).length,
    failed: sources.filter(({ state }) => state === "failed").length,
    ...(live && isPublic ? { answered: liveAnswers } : {}),
  };
}

/**
 * Returns the exit code: 1 for a purity that fails the threshold, else 3 where it is unknown whether it does, or where
 * live sources were queried and none answered. Facts of the tables alone are judged as they are.
 */
export function exitCodeOf(facts: BatchFacts, failBelow: number | undefined): number {
  const isProven = facts.answered !== 0;
  if (failBelow !== undefined) {
    const { outcome } = decide({ assessment: facts, isProven }, { min: failBelow, deny: [], allow: [] });
    if (outcome !== "PASS") return outcome === "FAIL" ? EXIT.below : EXIT.unavailable;
  }
  return isProven ? EXIT.ok : EXIT.unavailable;
}

/** What a row is about: a line of the input, or with `count` an address and the number of lines that have it. */
export interface BatchItem {
  readonly input: string;
  /** Absent for a line that was meant to have an address and has none. */
  readonly address?: Address;
  readonly count?: number;
  /** A prefix or an AS number, in place of an address. */
  readonly network?: string;
}

/** Why a row has no facts. */
export type RowProblem = "invalid_ip" | Extract<Summarized, string>;

type Summarized = Awaited<ReturnType<typeof summarizeText>>;

/** The summary of a network, which only a row of JSON can have. */
export interface NetworkResult {
  readonly network: Exclude<Summarized, string>;
}

/**
 * `ndjson` = one JSON object per line (https://github.com/ndjson/ndjson-spec); `csv` = comma-separated values (RFC
 * 4180), all quoted; `table` = columns for a terminal.
 */
export const ROW_FORMATS = ["ndjson", "csv", "table"] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

/** Formats rows. `head` is the first line of the output. Every row ends with a line feed. */
export interface RowWriter {
  readonly head: string;
  row(item: BatchItem, result: Judgement | RowProblem): string;
  /** The last line of a table. */
  foot?(): string;
  /** Writes the summary of a network; only JSON has room for it. */
  network?(item: BatchItem, result: NetworkResult): string;
  /** The beginning of the row of an item, by which a row that was written earlier is recognised. */
  start(item: BatchItem): string;
}

const MAX_INPUT_LENGTH = 64;

type Value = string | number | null;

/** A column that is the same for the same facts. */
type Column = readonly [name: string, read: (facts: BatchFacts) => Value];

/** The columns between the address and the time. */
const COLUMNS: readonly Column[] = [
  ["purity", ({ purity }) => purity],
  ["level", ({ band }) => band],
  ["confidence", ({ confidence }) => confidence],
  ["coverage", ({ coverage }) => coverage ?? ""],
  ["range", ({ low }) => low ?? ""],
  ["usageType", ({ usage }) => usage],
  ["nativeType", ({ native }) => native],
  ["flags", ({ flags }) => FLAGS.filter((flag) => flags[flag]).join(" ")],
  ["country", ({ country }) => country ?? ""],
  ["asn", ({ asn }) => asn ?? ""],
  ["asName", ({ asName }) => asName ?? ""],
  ["listed", ({ listed }) => listed],
  ["unavailable", ({ unavailable }) => unavailable],
  ["failed", ({ failed }) => failed],
];

/** The last columns. The score of a use case is null if it does not apply, or the country is not served. */
const SCORES: readonly Column[] = SCENARIOS.map((id) => [
  id,
  ({ scenarios }) => scenarios.find((one) => one.id === id)?.score ?? null,
]);

/** Returns the writer of a format that programs read. `hasCounts` = the rows begin with a count instead of a line. */
export function createRowWriter(format: Exclude<RowFormat, "table">, hasCounts: boolean): RowWriter {
  return format === "csv" ? createCsvWriter(hasCounts) : createJsonWriter();
}

function createJsonWriter(): RowWriter {
  const factsText = rememberBy((facts: BatchFacts) => writeJson(COLUMNS, facts));
  const scoresText = rememberBy((facts: BatchFacts) => writeJson(SCORES, facts));

  function start({ input, address, count }: BatchItem): string {
    const first = count === undefined ? `"input":${JSON.stringify(cutInput(input))}` : `"count":${count}`;
    return address === undefined ? `{${first}` : `{${first},"ip":"${address.text}"`;
  }

  return {
    head: "",
    start,
    row(item, result) {
      if (typeof result === "string") return `${start(item)},"error":"${result}"}\n`;
      const { facts, surveyedAt } = result;
      return `${start(item)},${factsText(facts)},"queriedAt":"${surveyedAt}",${scoresText(facts)}}\n`;
    },
    network: (item, { network }) => `${start(item)},"network":${JSON.stringify(network)}}\n`,
  };
}

/** Writes the columns that have a value as members of a JSON object. */
function writeJson(columns: readonly Column[], facts: BatchFacts): string {
  const members = columns.map(([name, read]) => [name, read(facts)] as const);
  const row = Object.fromEntries(members.filter(([name, value]) => value !== "" || name === "flags"));
  return JSON.stringify(row).slice(1, -1);
}

function createCsvWriter(hasCounts: boolean): RowWriter {
  const names = (columns: readonly Column[]) => columns.map(([name]) => name);
  const head = [
    hasCounts ? "count" : "input",
    "ip",
    ...names(COLUMNS),
    "queriedAt",
    "error",
    ...names(SCORES),
  ];
  const noFacts = COLUMNS.map(() => '""').join(",");
  const noScores = SCORES.map(() => '""').join(",");
  const factsText = rememberBy((facts: BatchFacts) => writeCsv(COLUMNS, facts));
  const scoresText = rememberBy((facts: BatchFacts) => writeCsv(SCORES, facts));

  function start({ input, address, count }: BatchItem): string {
    return `${quote(count ?? cutInput(input))},"${address?.text ?? ""}",`;
  }

  return {
    head: `${head.map(quote).join(",")}\n`,
    start,
    row(item, result) {
      if (typeof result === "string") return `${start(item)}${noFacts},"","${result}",${noScores}\n`;
      const { facts, surveyedAt } = result;
      return `${start(item)}${factsText(facts)},"${surveyedAt}","",${scoresText(facts)}\n`;
    },
  };
}

function writeCsv(columns: readonly Column[], facts: BatchFacts): string {
  return columns.map(([, read]) => quote(read(facts) ?? "")).join(",");
}

/** Half of a character outside the basic plane would not be the same when it is read again. */
function cutInput(input: string): string {
  return input.slice(0, MAX_INPUT_LENGTH).toWellFormed();
}

/** Text that is not a formula, and has no character that is replaced. */
const PLAIN = /^[0-9A-Za-z_.:/([{#][ -~]*$/;

/** Prefixes text that a spreadsheet would read as a formula with an apostrophe (https://owasp.org/www-community/attacks/CSV_Injection). */
function quote(value: string | number): string {
  if (typeof value === "number") return `"${value}"`;
  const isPlain = PLAIN.test(value);
  const text = isPlain ? value : value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  // The sign counts behind blanks too, because some programs drop them.
  const escaped = !isPlain && /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return escaped.includes('"') ? `"${escaped.replaceAll('"', '""')}"` : `"${escaped}"`;
}
