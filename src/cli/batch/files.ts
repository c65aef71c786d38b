import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { EXIT, ExitError } from "#app";
import type { RowFormat } from "./rows.ts";

/** The lines of an input that may be larger than memory. */
export interface LineSource {
  /** Size of the whole input in bytes, if known. */
  readonly size?: number;
  /** Bytes read so far. */
  bytesRead(): number;
  /** Each line without its end; a line longer than 1024 characters is cut. */
  lines(): AsyncIterable<string>;
}

/** Longer than any address: a line that is cut is invalid in any case. */
const MAX_LINE_LENGTH = 1024;

/** Reads lines from a stream of UTF-8. */
export function readLines(stream: ReadableStream<Uint8Array>, size?: number): LineSource {
  let bytesRead = 0;
  async function* lines(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of stream) {
      bytesRead += chunk.length;
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = (parts.pop() ?? "").slice(0, MAX_LINE_LENGTH);
      for (const part of parts) yield part.slice(0, MAX_LINE_LENGTH);
    }
    rest += decoder.decode();
    if (rest !== "") yield rest;
  }
  return { ...(size === undefined ? {} : { size }), bytesRead: () => bytesRead, lines };
}

/** A file to which rows are appended. */
export interface BatchOutput {
  /** Number of complete rows that an earlier run wrote. */
  readonly done: number;
  /** The input line of the last of them. */
  readonly lastInput?: string;
  write(text: string): void;
  /** Syncs the file to disk and closes it. */
  close(): void;
}

const CHUNK_BYTES = 1 << 16;
const LINE_FEED = 10;

/**
 * Opens the output file of a batch and counts the rows that an earlier run wrote. An incomplete last row, left by a
 * run that was killed, is cut off.
 * @throws {ExitError} when the file cannot be written.
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

/** Returns the number of complete lines, the offset of the end of the last one, and its text. */
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
