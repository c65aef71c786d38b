import { type Address, parseAddress } from "#address";
import { EXIT, OPERATOR, type Service } from "#app";
import type { Config } from "#config";
import { summarizeText } from "#network";
import {
  type Command,
  type CommandContext,
  commandTextsOf,
  FAIL_BELOW,
  formatBar,
  openOwnService,
  readNumber,
  readOptions,
  type Terminal,
  wrongUsage,
} from "../command.ts";
import { openTables } from "../table_classifier.ts";
import { type LeftOut, readItems } from "./items.ts";
import { type BatchProgress, type Judged, judgeItems } from "./judge_items.ts";
import { openBatchOutput } from "./output.ts";
import { MAX_LINE_LENGTH, openLines } from "./read_lines.ts";
import { createRowWriter, factsOfAnswer, ROW_FORMATS, type RowFormat } from "./rows.ts";
import { createTableWriter } from "./table_rows.ts";

/** The arguments of `limpid batch`. `file` is "-" for the standard input. */
export type BatchArguments = ReturnType<typeof readBatchArguments>;

const MAX_PARALLEL = 16;

const MINUTE_S = 60;

/** `limpid batch`: judges every address of a file. */
export const batch: Command = {
  ...commandTextsOf("batch"),
  run: (args, context) => runBatch(readBatchArguments(args, context.terminal), context),
};

/**
 * Reads the arguments of `limpid batch`.
 * @throws {ExitError} with one line that says what is wrong.
 */
export function readBatchArguments(args: readonly string[], terminal: Terminal) {
  const { flags, values, operands } = readOptions(batch, args);
  const [file, ...rest] = operands;
  if (file === undefined || rest.length > 0) throw wrongUsage("batch", "expected exactly one file");
  const out = values.get("out");
  const format = readFormat(values.get("format"), out, terminal);
  if (format === "table" && out !== undefined) {
    throw wrongUsage("batch", "a table is for people; with --out the format must be ndjson or csv");
  }
  if (flags.has("networks") && (format !== "ndjson" || flags.has("unique")))
    throw wrongUsage("batch", "with --networks the format must be ndjson, without --unique");
  const parallel = readNumber("batch", values, { name: "parallel", least: 1, most: MAX_PARALLEL }) ?? 4;
  const column = readColumn("batch", values);
  const failBelow = readNumber("batch", values, FAIL_BELOW);
  return {
    file,
    format,
    /** Only for a table. */
    isColoured: terminal.isTerminal && terminal.hasColour && !flags.has("no-color"),
    unique: flags.has("unique"),
    all: flags.has("all"),
    networks: flags.has("networks"),
    tablesOnly: flags.has("tables-only"),
    /** Surveys at once. */
    parallel,
    ...(column === undefined ? {} : { column }),
    ...(out === undefined ? {} : { out }),
    ...(failBelow === undefined ? {} : { failBelow }),
  };
}

function readFormat(named: string | undefined, out: string | undefined, terminal: Terminal): RowFormat {
  const format = ROW_FORMATS.find((known) => known === named);
  if (format !== undefined) return format;
  if (out !== undefined) return out.endsWith(".csv") ? "csv" : "ndjson";
  return terminal.isTerminal ? "table" : "ndjson";
}

/**
 * Reads `--column`.
 * @throws {ExitError} when it is empty or too long.
 */
export function readColumn(command: string, values: ReadonlyMap<string, string>): string | undefined {
  const column = values.get("column");
  if (column !== undefined && (column === "" || column.length > MAX_COLUMN_LENGTH)) {
    throw wrongUsage(command, `--column must be a name or a number from 1`);
  }
  return column;
}

const MAX_COLUMN_LENGTH = 128;

/** Judges the whole input; the output file, the service and the progress line are closed in any case. */
async function runBatch(given: BatchArguments, context: CommandContext): Promise<number> {
  const config = context.readConfig();
  const signal = context.abortOnSignal();
  const { now, progress } = context;
  const lines = openLines(given.file, context.readInput, { signal });
  const items = readItems(lines, given);
  const { format, unique, isColoured } = given;
  const writer = format === "table" ? createTableWriter(unique, isColoured) : createRowWriter(format, unique);
  const output = given.out === undefined ? undefined : openBatchOutput(given.out, writer.head, given.file);
  const service = given.tablesOnly ? undefined : await openOwnService(config, context);
  const startedAt = now();
  const done = output?.done ?? 0;
  let progressLine = "";
  let result: Awaited<ReturnType<typeof judgeItems>>;
  try {
    result = await judgeItems({
      items,
      writer,
      judgeOne:
        service === undefined ? judgeByTables(config, context) : judgeLive(service, config.live, signal),
      ...(given.networks === true ? { judgeNetwork: judgeNetworks(config, context, service) } : {}),
      parallel: given.parallel,
      write(text) {
        if (output !== undefined) return output.write(text);
        // Rows and progress may share the terminal.
        if (context.terminal.isTerminal) progress?.("");
        return context.write(text);
      },
      ...(output === undefined ? {} : { written: output.rows(), hasHead: output.hasHead }),
      ...(given.failBelow === undefined ? {} : { failBelow: given.failBelow }),
      signal,
      onProgress(at) {
        progressLine = describeProgress(at, done, now() - startedAt);
        progress?.(progressLine);
      },
    });
  } finally {
    output?.close();
    await service?.close();
    progress?.(`${progressLine}\n`);
  }
  await context.write(writer.foot?.() ?? "");
  const leftOut = items.leftOut();
  for (const line of describeLeftOut(leftOut, given.unique, lines.cut())) context.warn(line);
  // Rows are missing, whatever those that are there say.
  if (signal.aborted) return EXIT.interrupted;
  return codeOf(result, { mistakes: Math.max(leftOut.mistakes, result.bad) });
}

/**
 * The worst result decides: no answer, then a mistake or no address at all, then a purity below the threshold, then one of
 * which too little is known.
 */
export function codeOf(
  { rows, unavailable, below, unknown }: Omit<Awaited<ReturnType<typeof judgeItems>>, "bad">,
  { mistakes }: Pick<LeftOut, "mistakes">,
): number {
  if (unavailable > 0) return EXIT.unavailable;
  if (mistakes > 0 || rows === 0) return EXIT.badInput;
  if (below > 0) return EXIT.below;
  return unknown > 0 ? EXIT.unavailable : EXIT.ok;
}

/** Says which lines of the input gave no row, and which were not read to their end. */
function describeLeftOut(
  { lines, mistakes, firstMistake = "" }: LeftOut,
  unique: boolean,
  cut: number,
): readonly string[] {
  const said: string[] = [];
  if (lines > 0) said.push(`${countLines(lines, "has", "have")} no address and no row`);
  if (unique && mistakes > 0) {
    const first = JSON.stringify(firstMistake.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?"));
    said.push(`${countLines(mistakes, "looks", "look")} like a mistake and gave no row; the first: ${first}`);
  }
  if (cut > 0)
    said.push(
      `${countLines(cut, "is", "are")} longer than ${MAX_LINE_LENGTH} characters; the rest was not read`,
    );
  return said;
}

function countLines(count: number, one: string, more: string): string {
  return count === 1 ? `1 line ${one}` : `${count} lines ${more}`;
}

/** Every survey is admitted, because the operator starts it. The daily budgets of the sources still apply. */
function judgeLive(service: Pick<Service, "lookup">, live: boolean, signal: AbortSignal) {
  return async (found: Address): Promise<Judged | undefined> => {
    // The service remembers the address: a part of a larger text would keep all of it in memory.
    const address = parseAddress(found.text) ?? found;
    const request = { address, refresh: false, client: OPERATOR };
    const result = await service.lookup(request, signal).catch(() => undefined);
    if (result === undefined) return undefined;
    if (result.kind !== "answer") return "unavailable";
    const { answer } = result;
    return { facts: factsOfAnswer(answer, live), surveyedAt: answer.assessment.surveyedAt };
  };
}

/** Tables answer at once, so a row has the time at which it is made. */
function judgeByTables(config: Config, context: Pick<CommandContext, "paths" | "now" | "warn">) {
  const classifier = openTables(config, context).openClassifier();
  return (address: Address): Judged => ({
    facts: classifier.classify(address),
    surveyedAt: new Date(context.now()).toISOString(),
  });
}

/** The tables of the service, or of this machine without one, say what is known of a network. */
function judgeNetworks(config: Config, context: CommandContext, service: Service | undefined) {
  const networks = service?.networks ?? openTables(config, context).openNetworks();
  return async (text: string) => {
    const summary = await summarizeText(text, networks);
    return typeof summary === "string" ? summary : { network: summary };
  };
}

/** `[######......] 12 345 rows, 41 %, 20 100/s, 0:12 left`; the speed counts only the rows of this run. */
function describeProgress({ rows, done, of }: BatchProgress, before: number, elapsedMs: number): string {
  const seconds = Math.max(0.001, elapsedMs / 1000);
  const speed = `${formatCount(Math.max(0, rows - before) / seconds)}/s`;
  if (of === undefined || of === 0) return `${formatCount(rows)} rows, ${speed}`;
  const share = Math.min(1, done / of);
  const left = Math.round((seconds * (1 - share)) / Math.max(share, 0.001));
  const clock = `${Math.floor(left / MINUTE_S)}:${String(left % MINUTE_S).padStart(2, "0")}`;
  return `${formatBar(share)} ${formatCount(rows)} rows, ${Math.floor(share * 100)} %, ${speed}, ${clock} left`;
}

function formatCount(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, " ");
}
