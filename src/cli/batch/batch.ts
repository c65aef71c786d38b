import { statSync } from "node:fs";
import type { Address } from "#address";
import { EXIT, ExitError, OPERATOR, openService, prepareDataDirectory, type Service } from "#app";
import type { Config } from "#config";
import { type Command, type CommandContext, readOptions, wrongUsage } from "../command.ts";
import { FAIL_BELOW, readFailBelow } from "../fail_below.ts";
import { openTableClassifier } from "../table_classifier.ts";
import { type LineSource, openBatchOutput, readLines } from "./files.ts";
import { type BatchOptions, type BatchProgress, type Judged, judgeLines } from "./judge_lines.ts";
import { factsOfAnswer, factsOfTables } from "./rows.ts";

/** The arguments of `limpid batch`. `file` is "-" for the standard input. */
export interface BatchArguments extends BatchOptions {
  readonly file: string;
  readonly out?: string;
}

const MAX_PARALLEL = 16;

const BAR_CELLS = 24;
const MINUTE_S = 60;

/** `limpid batch`: judges every address of a file. */
export const batch: Command = {
  name: "batch",
  operands: "FILE",
  file: true,
  what: "judge every address of a file, one per line; - reads the standard input",
  options: [
    {
      name: "out",
      value: "FILE",
      file: true,
      what: "write to this file, and continue where an earlier run of the same input ended",
    },
    {
      name: "format",
      value: "FORMAT",
      values: ["ndjson", "csv"],
      what: "format of the rows; default: by the name of --out, else ndjson",
    },
    { name: "tables-only", what: "judge by local tables only: query no source, store nothing" },
    { name: "parallel", value: "N", what: "surveys at once, 1 to 16; default 4" },
    FAIL_BELOW,
  ],
  run: (args, context) => runBatch(readBatchArguments(args), context),
};

/**
 * Reads the arguments of `limpid batch`.
 * @throws {ExitError} with one line that says what is wrong.
 */
export function readBatchArguments(args: readonly string[]): BatchArguments {
  const { flags, values, operands } = readOptions(batch, args);
  const [file, ...rest] = operands;
  if (file === undefined || rest.length > 0) throw wrongUsage("batch", "expected exactly one file");
  const out = values.get("out");
  const named = values.get("format") ?? (out?.endsWith(".csv") === true ? "csv" : "ndjson");
  const parallelText = values.get("parallel") ?? "4";
  const parallel = Number(parallelText);
  if (!/^\d{1,2}$/.test(parallelText) || parallel < 1 || parallel > MAX_PARALLEL) {
    throw wrongUsage("batch", `--parallel must be 1 to ${MAX_PARALLEL}: current value is "${parallelText}"`);
  }
  const failBelow = readFailBelow(values);
  return {
    file,
    format: named === "csv" ? "csv" : "ndjson",
    tablesOnly: flags.has("tables-only"),
    parallel,
    ...(out === undefined ? {} : { out }),
    ...(failBelow === undefined ? {} : { failBelow }),
  };
}

/** Judges the whole input; the output file, the service and the progress line are closed in any case. */
async function runBatch(given: BatchArguments, context: CommandContext): Promise<number> {
  const config = context.readConfig();
  const signal = context.abortOnSignal();
  const { now, progress } = context;
  const lines = openLines(given.file, context.readInput);
  const output = given.out === undefined ? undefined : openBatchOutput(given.out, given.format);
  const service = given.tablesOnly ? undefined : await openLiveService(config, context);
  const startedAt = now();
  const done = output?.done ?? 0;
  let progressLine = "";
  try {
    const result = await judgeLines(given, {
      lines,
      judgeOne:
        service === undefined ? judgeByTables(config, context) : judgeLive(service, config.live, signal),
      write: output === undefined ? context.write : (text) => output.write(text),
      done,
      ...(output?.lastInput === undefined ? {} : { lastInput: output.lastInput }),
      signal,
      onProgress(at) {
        progressLine = describeProgress(at, done, now() - startedAt);
        progress?.(progressLine);
      },
    });
    return result.code;
  } finally {
    output?.close();
    await service?.close();
    progress?.(`${progressLine}\n`);
  }
}

async function openLiveService(config: Config, context: CommandContext): Promise<Service> {
  prepareDataDirectory(config.dataDirectory);
  return openService(config, { ...context, log: context.openLog(config) });
}

function openLines(file: string, readInput: CommandContext["readInput"]): LineSource {
  if (file === "-") return readLines(readInput());
  try {
    return readLines(Bun.file(file).stream(), statSync(file).size);
  } catch (error) {
    throw new ExitError(
      EXIT.badInput,
      `Cannot read "${file}": ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/** Every survey is admitted, because the operator starts it. The daily budgets of the sources still apply. */
function judgeLive(service: Pick<Service, "lookup">, live: boolean, signal: AbortSignal) {
  return async (address: Address): Promise<Judged> => {
    const result = await service.lookup({ address, refresh: false, client: OPERATOR }, signal);
    return result.kind === "answer" ? factsOfAnswer(result.answer, live) : "unavailable";
  };
}

/** Tables answer at once, so a row may have the time at which it is made. */
function judgeByTables(config: Config, context: Pick<CommandContext, "paths" | "now">) {
  const classifier = openTableClassifier(config, context);
  return async (address: Address): Promise<Judged> =>
    factsOfTables(address.text, classifier.classify(address), new Date(context.now()).toISOString());
}

/** `[######......] 12 345 rows, 41 %, 20 100/s, 0:12 left`; the speed counts only the rows of this run. */
function describeProgress({ rows, bytesRead, size }: BatchProgress, done: number, elapsedMs: number): string {
  const seconds = Math.max(0.001, elapsedMs / 1000);
  const speed = `${formatCount((rows - done) / seconds)}/s`;
  if (size === undefined || size === 0) return `${formatCount(rows)} rows, ${speed}`;
  const share = Math.min(1, bytesRead / size);
  const full = Math.floor(share * BAR_CELLS);
  const left = Math.round((seconds * (1 - share)) / Math.max(share, 0.001));
  const clock = `${Math.floor(left / MINUTE_S)}:${String(left % MINUTE_S).padStart(2, "0")}`;
  const bar = "#".repeat(full) + ".".repeat(BAR_CELLS - full);
  return `[${bar}] ${formatCount(rows)} rows, ${Math.floor(share * 100)} %, ${speed}, ${clock} left`;
}

function formatCount(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, " ");
}
