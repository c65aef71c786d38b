import { type Address, parseAddress } from "#address";
import { EXIT, ExitError } from "#app";
import { exitCodeOf } from "../fail_below.ts";
import type { LineSource } from "./files.ts";
import { type BatchFacts, type BatchRow, type RowFormat, rowWriterOf } from "./rows.ts";

/** How the lines of a batch are judged and written. */
export interface BatchOptions {
  readonly format: RowFormat;
  readonly tablesOnly: boolean;
  /** Surveys at once. */
  readonly parallel: number;
  readonly failBelow?: number;
}

/** The facts about one address, or "unavailable" when the lookup gave no answer. */
export type Judged = BatchFacts | "unavailable";

/** The progress of a batch. `size` of the input in bytes is absent when it is unknown. */
export interface BatchProgress {
  readonly rows: number;
  readonly bytesRead: number;
  readonly size?: number;
}

/** What a batch needs. `judgeOne` rejects only when the signal aborts. */
export interface BatchPorts {
  readonly lines: LineSource;
  readonly judgeOne: (address: Address) => Promise<Judged>;
  /** Receives complete rows in the order of the input. */
  readonly write: (text: string) => void | Promise<void>;
  /** Number of rows that an earlier run wrote, and the input of the last one; these lines are skipped. */
  readonly done: number;
  readonly lastInput?: string;
  readonly onProgress?: (progress: BatchProgress) => void;
  readonly signal?: AbortSignal;
}

/** The result of a batch. */
export interface BatchResult {
  readonly rows: number;
  readonly bad: number;
  readonly unavailable: number;
  readonly below: number;
  readonly code: number;
}

/** Table surveys at once: tables answer immediately, so a few keep the loop busy. */
const TABLES_PARALLEL = 8;

/** Rows of table surveys are written in groups of this size; a killed run loses one group and judges it again. */
const ROWS_PER_WRITE = 256;

/**
 * Judges the addresses of an input, one per line, and writes one row for each in the order of the input. Blank lines
 * and lines that start with # are skipped; a line that is not an address gives a row that says so.
 */
export async function judgeLines(options: BatchOptions, ports: BatchPorts): Promise<BatchResult> {
  const writer = rowWriterOf(options.format);
  const counts = { rows: ports.done, bad: 0, unavailable: 0, below: 0 };
  const waiting: Promise<BatchRow>[] = [];
  let rows: string[] = ports.done === 0 && options.format === "csv" ? [writer.head] : [];

  async function flush(): Promise<void> {
    if (rows.length === 0) return;
    const text = rows.join("");
    rows = [];
    await ports.write(text);
    const { size } = ports.lines;
    ports.onProgress?.({
      rows: counts.rows,
      bytesRead: ports.lines.bytesRead(),
      ...(size === undefined ? {} : { size }),
    });
  }

  async function settleOldest(): Promise<void> {
    const row = await waiting.shift();
    if (row === undefined) return;
    counts.rows += 1;
    if (row.problem === "invalid_ip") counts.bad += 1;
    if (row.problem === "unavailable") counts.unavailable += 1;
    if (row.facts !== undefined) {
      const code = exitCodeOf(row.facts, options.failBelow);
      if (code === EXIT.below) counts.below += 1;
      if (code === EXIT.unavailable) counts.unavailable += 1;
    }
    rows.push(writer.row(row));
    // A row that cost a survey is written at once.
    if (!options.tablesOnly || rows.length >= ROWS_PER_WRITE) await flush();
  }

  const parallel = options.tablesOnly ? TABLES_PARALLEL : options.parallel;
  let at = 0;
  for await (const line of ports.lines.lines()) {
    if (ports.signal?.aborted === true) break;
    if (isSkipped(line)) continue;
    at += 1;
    if (at === ports.done) requireSameInput(line.trim(), ports.lastInput, at);
    if (at <= ports.done) continue;
    if (waiting.length >= parallel) await settleOldest();
    waiting.push(judgeLine(line.trim(), ports.judgeOne));
  }
  while (waiting.length > 0) await settleOldest();
  await flush();
  if (at < ports.done) throw otherInput(at);
  return { ...counts, code: codeOf(counts) };
}

function isSkipped(line: string): boolean {
  const text = line.trim();
  return text === "" || text.startsWith("#");
}

async function judgeLine(input: string, judgeOne: BatchPorts["judgeOne"]): Promise<BatchRow> {
  const address = parseAddress(input);
  if (address === undefined) return { input, problem: "invalid_ip" };
  const judged = await judgeOne(address);
  return judged === "unavailable" ? { input, problem: judged } : { input, facts: judged };
}

/** The worst result decides: no answer, then an invalid line, then a purity below the threshold. */
function codeOf({ bad, unavailable, below }: { bad: number; unavailable: number; below: number }): number {
  if (unavailable > 0) return EXIT.unavailable;
  if (bad > 0) return EXIT.badInput;
  return below > 0 ? EXIT.below : EXIT.ok;
}

/** Compares with the beginning of the line, because a row contains only that. */
function requireSameInput(line: string, written: string | undefined, at: number): void {
  if (written !== undefined && line.slice(0, written.length) !== written) throw otherInput(at);
}

function otherInput(at: number): ExitError {
  return new ExitError(
    EXIT.badInput,
    `Cannot continue the output: its rows belong to another input, as line ${at} shows; use another --out`,
  );
}
