import { EXIT, ExitError } from "#app";
import { rememberBy } from "#common";
import type { TableClassifier, TableFacts } from "#lookup";
import { sanitize } from "#render";
import { decide, findContradiction, isAskingNothing, type Policy } from "#report";
import { readColumn } from "./batch/batch.ts";
import { createCellReader, type ReadCell } from "./batch/columns.ts";
import { findFirst } from "./batch/find_in_line.ts";
import { decodeBytes, type LineSource, MAX_LINE_LENGTH, openLines } from "./batch/read_lines.ts";
import {
  type Command,
  type CommandContext,
  commandTextsOf,
  readNumber,
  readOptions,
  readPolicyWords,
  WORDS,
  wrongUsage,
} from "./command.ts";
import { openTables } from "./table_classifier.ts";

/** The arguments of `limpid grep`. A file "-" is the standard input. */
export type GrepArguments = ReturnType<typeof readGrepArguments>;

/** What a file that cannot be read ends with; the next one may be readable. */
const UNREADABLE: ReadonlySet<number> = new Set([EXIT.badInput, EXIT.noInput]);

/** `limpid grep`: prints the lines whose address a policy denies. */
export const grep: Command = {
  ...commandTextsOf("grep", { words: WORDS }),
  run: (args, context) => runGrep(readGrepArguments(args), context),
};

/**
 * Reads the arguments of `limpid grep`.
 * @throws {ExitError} with one line that says what is wrong.
 */
export function readGrepArguments(args: readonly string[]) {
  const { flags, values, operands } = readOptions(grep, args);
  const min = readNumber("grep", values, { name: "min", least: 0, most: 100 });
  const deny = readPolicyWords("grep", values, "deny");
  const allow = readPolicyWords("grep", values, "allow");
  const policy: Policy = { deny, allow, ...(min === undefined ? {} : { min }) };
  const both = findContradiction(policy);
  if (both !== undefined) throw wrongUsage("grep", `--allow and --deny both have "${both}"`);
  if (isAskingNothing(policy))
    throw wrongUsage("grep", "expected a policy: --deny WORDS, --min PURITY or both");
  const column = readColumn("grep", values);
  return {
    files: operands.length === 0 ? ["-"] : operands,
    policy,
    ...(column === undefined ? {} : { column }),
    /** Print the address instead of the line. */
    only: flags.has("only"),
    /** Print the lines that do not match. */
    invert: flags.has("invert"),
    /** Print the number of lines instead of the lines. */
    count: flags.has("count"),
  };
}

/** Prints the lines of all files. A file that cannot be read does not stop the others, as with grep(1). */
async function runGrep(given: GrepArguments, context: CommandContext): Promise<number> {
  const tables = openTables(context.readConfig(), context);
  const gaps = tables.findGaps(given.policy.deny);
  if (gaps.text !== "") context.warn(gaps.text);
  const isMatch = createMatch(given.policy, tables.openClassifier());
  let found = 0;
  let failed: number | undefined;
  for (const file of given.files) {
    const prefix = given.files.length > 1 ? `${file === "-" ? "(standard input)" : sanitize(file)}:` : "";
    try {
      const lines = openLines(file, context.readInput, { decode: decodeBytes });
      const selected = await printLines(lines, prefix, given, isMatch, context.write);
      found += selected;
      if (given.count) await context.write(`${prefix}${selected}\n`);
      if (lines.cut() > 0)
        context.warn(`Lines of "${file}" are longer than ${MAX_LINE_LENGTH} bytes and were cut`);
    } catch (error) {
      if (!(error instanceof ExitError) || !UNREADABLE.has(error.code)) throw error;
      context.warn(error.message);
      failed = error.code;
    }
  }
  // Without any list of a denied word, no line is no answer.
  return failed ?? (found > 0 ? EXIT.ok : gaps.isUnknown ? EXIT.unavailable : EXIT.notFound);
}

/**
 * Creates the function that reports whether a policy denies an address, given as text. An address that only missing
 * evidence puts below the least purity is unknown. It does not match.
 */
export function createMatch(policy: Policy, classifier: TableClassifier) {
  const isDenied = rememberBy(
    (facts: TableFacts) => decide({ assessment: facts, isProven: true }, policy).outcome === "FAIL",
  );
  return (address: string): boolean => {
    const facts = classifier.classifyText(address)?.facts;
    return facts !== undefined && isDenied(facts);
  };
}

/** Prints the lines of one input, and writes what it found whenever the input pauses. Returns their number. */
async function printLines(
  lines: LineSource,
  prefix: string,
  { column, only, invert, count }: GrepArguments,
  isMatch: ReturnType<typeof createMatch>,
  write: CommandContext["write"],
): Promise<number> {
  // Lines are bytes as characters, so other text must be that too.
  const asBytes = (text: string) => Buffer.from(text).toString("latin1");
  const readCell: ReadCell = column === undefined ? (line) => line : createCellReader(asBytes(column));
  const printedPrefix = asBytes(prefix);
  let selected = 0;
  for await (const group of lines.groups()) {
    let text = "";
    for (const line of group) {
      const cell = readCell(line);
      const address = cell === undefined ? undefined : findFirst(cell);
      if ((address !== undefined && isMatch(address.text)) === invert) continue;
      selected += 1;
      if (!only) text += `${printedPrefix}${line}\n`;
      else if (address !== undefined) text += `${printedPrefix}${address.text}\n`;
    }
    if (!count && text !== "") await write(Buffer.from(text, "latin1"));
  }
  return selected;
}
