import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, statSync, writeSync } from "node:fs";
import type { RowFormat } from "./batch_row.ts";
import { EXIT, ExitError } from "./exit_codes.ts";

/** A file that rows are added to. */
export interface BatchOutput {
  /** Whole rows that are in it already. */
  readonly done: number;
  /** The line that the last of them was made of. */
  readonly lastInput?: string;
  write(text: string): void;
  /** Puts what was written on the disk. */
  close(): void;
}

const CHUNK_BYTES = 1 << 16;
const LINE_FEED = 10;

/**
 * Opens the file that a batch writes to, and finds out how far an earlier run came. A row that was torn when the
 * run was killed is cut off.
 * @throws {ExitError} when it cannot be written.
 */
export function openBatchOutput(path: string, format: RowFormat): BatchOutput {
  try {
    const file = openSync(path, "a+");
    const { lines, end, last } = readRows(file);
    if (end < statSync(path).size) ftruncateSync(file, end);
    const done = Math.max(0, format === "csv" ? lines - 1 : lines);
    const lastInput = done === 0 ? undefined : inputOf(last, format);
    return {
      done,
      ...(lastInput === undefined ? {} : { lastInput }),
      write(text) {
        const bytes = new TextEncoder().encode(text);
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      },
      close() {
        fsyncSync(file);
        closeSync(file);
      },
    };
  } catch (error) {
    throw new ExitError(
      EXIT.cannotCreate,
      `Cannot write to "${path}": ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/** Whole lines of the file, where the last of them ends, and its text. */
function readRows(file: number): { readonly lines: number; readonly end: number; readonly last: string } {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let lines = 0;
  let end = 0;
  let before = 0;
  for (let at = 0; ; ) {
    const length = readSync(file, chunk, 0, CHUNK_BYTES, at);
    if (length === 0) break;
    for (let index = 0; index < length; index++) {
      if (chunk[index] !== LINE_FEED) continue;
      lines += 1;
      before = end;
      end = at + index + 1;
    }
    at += length;
  }
  const last = new Uint8Array(Math.max(0, end - before));
  readSync(file, last, 0, last.length, before);
  return { lines, end, last: new TextDecoder().decode(last) };
}

function inputOf(row: string, format: RowFormat): string | undefined {
  if (format === "csv") return /^"'?((?:[^"]|"")*)"/.exec(row)?.[1]?.replaceAll('""', '"');
  try {
    const parsed: unknown = JSON.parse(row);
    if (typeof parsed !== "object" || parsed === null || !("input" in parsed)) return undefined;
    return typeof parsed.input === "string" ? parsed.input : undefined;
  } catch {
    return undefined;
  }
}
