import { type Address, addressFromWords, parseAddress, parsePrefixEnds } from "#address";
import { EXIT, ExitError } from "#app";
import { assess } from "#lookup";
import type { Accuracy, Assessment, Share } from "#report";
import { measureAccuracy, TRUTH_WORDS } from "#scoring";
import { openStore } from "#store";
import { openLines } from "./batch/read_lines.ts";
import {
  alignColumns,
  type Command,
  type CommandContext,
  commandTextsOf,
  formatJson,
  readOptions,
  wrongUsage,
} from "./command.ts";
import { openTables } from "./table_classifier.ts";

/** One line of the input: the address to judge, and the words that are true of it. */
interface TruthRow {
  readonly text: string;
  readonly address: Address;
  readonly truth: readonly string[];
}

/** Rows that are measured at once in memory. */
const MAX_ROWS = 1_000_000;

/** `limpid evaluate`: measures how right the verdicts are on addresses whose truth is known. */
export const evaluate: Command = {
  ...commandTextsOf("evaluate", { words: TRUTH_WORDS.join(", ") }),
  async run(args, context) {
    const { flags, operands } = readOptions(evaluate, args);
    const [file, ...rest] = operands;
    if (file === undefined || rest.length > 0) throw wrongUsage("evaluate", "expected exactly one file");
    const rows = await readTruth(file, context);
    if (rows.length === 0) throw new ExitError(EXIT.badInput, `Cannot evaluate "${file}": it has no rows`);
    const judged = await (flags.has("stored") ? judgeByStore : judgeByTables)(rows, context);
    const accuracy = measureAccuracy(judged.map(({ row }) => row));
    const wrong = flags.has("lists") ? judged.filter(isWrong).map(describeWrong) : [];
    const leftOut = rows.length - judged.length;
    await context.write(
      flags.has("json")
        ? formatJson({ ...accuracy, leftOut, ...(flags.has("lists") ? { wrong } : {}) })
        : `${describeAccuracy(accuracy, leftOut)}${wrong.map((line) => `${line}\n`).join("")}`,
    );
    return judged.length === 0 ? EXIT.unavailable : EXIT.ok;
  },
};

/**
 * Reads the rows. Empty lines and lines that begin with `#` are not rows.
 * @throws {ExitError} naming the line that is not a row.
 */
async function readTruth(file: string, context: CommandContext): Promise<readonly TruthRow[]> {
  const rows: TruthRow[] = [];
  let at = 0;
  for await (const group of openLines(file, context.readInput).groups()) {
    for (const raw of group) {
      at += 1;
      const line = raw.trim();
      if (line === "" || line.startsWith("#")) continue;
      const refuse = (why: string) =>
        new ExitError(EXIT.badData, `Cannot read line ${at} of "${file}": ${why}`);
      const [text = "", words, ...more] = line.split("\t");
      if (words === undefined || more.length > 0)
        throw refuse("expected an address or prefix, a tab, and its truth");
      const address = findMiddle(text.trim());
      if (address === undefined) throw refuse(`${JSON.stringify(text)} is not an address or prefix`);
      const truth = words.split(",").map((word) => word.trim());
      const unknown = truth.find((word) => !TRUTH_WORDS.includes(word));
      if (unknown !== undefined) throw refuse(`${JSON.stringify(unknown)} is not a truth`);
      if (rows.length === MAX_ROWS) throw refuse(`a file has at most ${MAX_ROWS} rows`);
      rows.push({ text: text.trim(), address, truth });
    }
  }
  return rows;
}

/** The address, or the address in the middle of a prefix. */
function findMiddle(text: string): Address | undefined {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  const ends = parsePrefixEnds(text);
  if (ends === undefined) return undefined;
  const words = ends.first.map((word, index) => Math.floor((word + (ends.last[index] ?? word)) / 2));
  return addressFromWords(words.length === 1 ? 4 : 6, words);
}

type JudgedTruth = ReturnType<typeof judgeRow>;

async function judgeByTables(rows: readonly TruthRow[], context: CommandContext) {
  const tables = openTables(context.readConfig(), context).openSurvey();
  return rows.map((row) => judgeRow(row, assess(tables.survey(row.address))));
}

async function judgeByStore(rows: readonly TruthRow[], context: CommandContext) {
  const config = context.readConfig();
  const store = await openStore({ ...config.database, migrations: context.paths.migrations });
  try {
    const judged: JudgedTruth[] = [];
    for (const row of rows) {
      const assessment = (await store.find(row.address.text))?.assessment;
      if (assessment !== undefined) judged.push(judgeRow(row, assessment));
    }
    return judged;
  } finally {
    await store.close();
  }
}

type Judged = Pick<Assessment, "purity" | "usage" | "flags" | "agreement" | "listings">;

function judgeRow({ text, truth }: TruthRow, { purity, usage, flags, agreement, listings }: Judged) {
  const isListed = listings.some((one) => one.listed && !one.benign && one.countedAs === undefined);
  return { text, row: { truth, purity, usage, flags, agreement, isListed } };
}

/** A row is wrong when something of its truth was not said, or something was said that is not true. */
function isWrong({ row }: JudgedTruth): boolean {
  const { flags, types } = measureAccuracy([row]);
  return [...flags, ...types].some(
    ({ recall, alarms }) => alarms.hits > 0 || (recall.of > 0 && recall.hits === 0),
  );
}

function describeWrong({ text, row }: JudgedTruth): string {
  const said = measureAccuracy([{ ...row, truth: TRUTH_WORDS }]).flags.filter(
    ({ recall }) => recall.hits > 0,
  );
  return `${text}\t${row.truth.join(",")}\t${[row.usage, ...said.map(({ id }) => id)].join(",")}\t${row.purity}`;
}

function describeAccuracy(accuracy: Accuracy, leftOut: number): string {
  const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    `${alignColumns([head, ...rows], (column) => column > 0)
      .map((cells) => cells.join("  ").trimEnd())
      .join("\n")}\n\n`;
  const rates = [...accuracy.flags, ...accuracy.types.map((rate) => ({ ...rate, id: `type ${rate.id}` }))];
  return [
    `${accuracy.rows} rows${leftOut === 0 ? "" : `, ${leftOut} left out`}; in brackets the 95 % interval\n\n`,
    table(
      ["", "found", "right when said", "false alarms"],
      rates.map(({ id, recall, precision, alarms }) => [
        id,
        ...[recall, precision, alarms].map(describeShare),
      ]),
    ),
    table(
      ["purity", "is bad"],
      accuracy.bands.map(({ band, bad }) => [band, describeShare(bad)]),
    ),
    table(
      ["sources that agree", "is true"],
      accuracy.agreement.map(({ sources, right }) => [
        sources === 3 ? "3+" : `${sources}`,
        describeShare(right),
      ]),
    ),
    `expected calibration error: ${accuracy.calibrationError.toFixed(3)}\n`,
  ].join("");
}

/** `97.2 % [95.1–98.4] of 410`; a dash without rows. */
function describeShare({ of, share, low, high }: Share): string {
  const percent = (value: number) => (100 * value).toFixed(1);
  return of === 0 ? "-" : `${percent(share)} % [${percent(low)}–${percent(high)}] of ${of}`;
}
