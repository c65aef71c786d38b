import { type Address, parseAddress } from "#address";
import type { BatchFacts } from "./batch_facts.ts";
import { type BatchRow, type RowFormat, rowWriterOf } from "./batch_row.ts";
import { commandOf } from "./commands.ts";
import { exitCodeOf } from "./exit_code_of.ts";
import { EXIT, ExitError } from "./exit_codes.ts";
import type { LineSource } from "./line_source.ts";
import { readFailBelow } from "./read_fail_below.ts";
import { readOptions } from "./read_options.ts";

/** What `limpid batch` was asked for. `file` is "-" for the standard input. */
export interface BatchArguments {
  readonly file: string;
  readonly out?: string;
  readonly format: RowFormat;
  readonly tablesOnly: boolean;
  readonly parallel: number;
  readonly failBelow?: number;
}

const MOST_PARALLEL = 16;

/** Tables answer at once; a few under way keep the loop turning without a queue worth speaking of. */
const TABLES_PARALLEL = 8;

/** Rows are written together once there are this many; a run that is killed loses no more, and takes them up again. */
const ROWS_A_WRITE = 256;

/**
 * Reads the arguments of `limpid batch`.
 * @throws {ExitError} with one line on what is wrong.
 */
export function readBatchArguments(args: readonly string[]): BatchArguments {
  const { flags, values, operands } = readOptions(commandOf("batch"), args);
  const [file, ...rest] = operands;
  if (file === undefined || rest.length > 0) throw wrong("expected exactly one file");
  const out = values.get("out");
  const named = values.get("format") ?? (out?.endsWith(".csv") === true ? "csv" : "ndjson");
  const parallelText = values.get("parallel") ?? "4";
  const parallel = Number(parallelText);
  if (!/^\d{1,2}$/.test(parallelText) || parallel < 1 || parallel > MOST_PARALLEL) {
    throw wrong(`--parallel must be 1 to ${MOST_PARALLEL}: current value is "${parallelText}"`);
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

/** What one address came to, or why it came to nothing. */
export type Judged = BatchFacts | "unavailable";

/** How far a batch is. `bytes` of the input are read; `of` is absent where its end is unknown. */
export interface BatchProgress {
  readonly rows: number;
  readonly bytes: number;
  readonly of?: number;
}

/** What a batch needs. `judgeOne` never rejects but for the signal. */
export interface BatchPorts {
  readonly lines: LineSource;
  readonly judgeOne: (address: Address) => Promise<Judged>;
  /** Takes whole rows, in the order of the input; what it has taken is kept. */
  readonly write: (text: string) => void | Promise<void>;
  /** Rows that an earlier run has written, and the line that its last one was made of; those lines are passed over. */
  readonly done: number;
  readonly lastInput?: string;
  readonly onProgress?: (progress: BatchProgress) => void;
  readonly signal?: AbortSignal;
}

/** How a batch ended. */
export interface BatchResult {
  readonly rows: number;
  readonly bad: number;
  readonly unavailable: number;
  readonly below: number;
  readonly code: number;
}

/**
 * Judges the addresses of a file, one a line, and writes one row each in the order of the input. Blank lines and
 * lines that begin with # are passed over; a line that is no address gives a row that says so.
 */
export async function runBatch(wanted: BatchArguments, ports: BatchPorts): Promise<BatchResult> {
  const writeRow = rowWriterOf(wanted.format);
  const counts = { rows: ports.done, bad: 0, unavailable: 0, below: 0 };
  const waiting: Promise<BatchRow>[] = [];
  let rows: string[] = ports.done === 0 && wanted.format === "csv" ? [writeRow.head] : [];

  async function flush(): Promise<void> {
    if (rows.length === 0) return;
    const text = rows.join("");
    rows = [];
    await ports.write(text);
    const { size } = ports.lines;
    ports.onProgress?.({
      rows: counts.rows,
      bytes: ports.lines.read(),
      ...(size === undefined ? {} : { of: size }),
    });
  }

  async function settleOldest(): Promise<void> {
    const row = await waiting.shift();
    if (row === undefined) return;
    counts.rows += 1;
    if (row.problem === "invalid_ip") counts.bad += 1;
    if (row.problem === "unavailable") counts.unavailable += 1;
    if (row.facts !== undefined) {
      const code = exitCodeOf(row.facts, wanted.failBelow);
      if (code === EXIT.below) counts.below += 1;
      if (code === EXIT.unavailable) counts.unavailable += 1;
    }
    rows.push(writeRow.row(row));
    // Where each row costs a survey it is kept at once.
    if (!wanted.tablesOnly || rows.length >= ROWS_A_WRITE) await flush();
  }

  const parallel = wanted.tablesOnly ? TABLES_PARALLEL : wanted.parallel;
  let at = 0;
  for await (const line of ports.lines.lines()) {
    if (ports.signal?.aborted === true) break;
    if (isPassedOver(line)) continue;
    at += 1;
    if (at === ports.done) requireSame(line.trim(), ports.lastInput, at);
    if (at <= ports.done) continue;
    if (waiting.length >= parallel) await settleOldest();
    waiting.push(judgeLine(line.trim(), ports.judgeOne));
  }
  while (waiting.length > 0) await settleOldest();
  await flush();
  if (at < ports.done) throw otherInput(at);
  return { ...counts, code: codeOf(counts) };
}

/** Lines that hold no address and get no row. */
export function isPassedOver(line: string): boolean {
  const text = line.trim();
  return text === "" || text.startsWith("#");
}

async function judgeLine(input: string, judgeOne: BatchPorts["judgeOne"]): Promise<BatchRow> {
  const address = parseAddress(input);
  if (address === undefined) return { input, problem: "invalid_ip" };
  const judged = await judgeOne(address);
  return judged === "unavailable" ? { input, problem: judged } : { input, facts: judged };
}

/** What is worst is told: nobody could answer, then a line that is no address, then a purity below the threshold. */
function codeOf({ bad, unavailable, below }: { bad: number; unavailable: number; below: number }): number {
  if (unavailable > 0) return EXIT.unavailable;
  if (bad > 0) return EXIT.badInput;
  return below > 0 ? EXIT.below : EXIT.ok;
}

/** A row keeps the beginning of its line. */
function requireSame(line: string, written: string | undefined, at: number): void {
  if (written !== undefined && line.slice(0, written.length) !== written) throw otherInput(at);
}

function otherInput(at: number): ExitError {
  return new ExitError(
    EXIT.badInput,
    `Cannot go on with the output: its rows belong to another input, as line ${at} shows; name another --out`,
  );
}

function wrong(why: string): ExitError {
  return new ExitError(EXIT.usage, `Cannot run "limpid batch": ${why}`);
}
