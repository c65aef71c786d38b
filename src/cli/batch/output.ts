import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { cannotWrite } from "../command.ts";

const CHUNK_BYTES = 1 << 16;
const LINE_FEED = 10;

/**
 * Opens the output file of a batch, and counts the rows that an earlier run wrote. An incomplete last row, left by a
 * run that was killed, is cut off. `head` is the first line of the format, or "". `input` is the file that is read.
 * @throws {ExitError} when the file cannot be written, is the input, or has other columns.
 */
export function openBatchOutput(path: string, head: string, input: string) {
  try {
    const file = openSync(path, "a+");
    try {
      if (isSameFile(file, input)) throw new Error("it is the input");
      requireRows(file, head);
      const { lines, end } = measureLines(file);
      if (end < fstatSync(file).size) ftruncateSync(file, end);
      const hasHead = head !== "" && lines > 0;
      return {
        /** The first line is there. */
        hasHead,
        /** Number of complete rows that an earlier run wrote. */
        done: hasHead ? lines - 1 : lines,
        /** These rows, in order. */
        rows: () => readRows(file, end).drop(hasHead ? 1 : 0),
        write(text: string): void {
          const bytes = new TextEncoder().encode(text);
          for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
        },
        /** Syncs the file to disk and closes it. */
        close(): void {
          fsyncSync(file);
          closeSync(file);
        },
      };
    } catch (error) {
      closeSync(file);
      throw error;
    }
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function isSameFile(file: number, input: string): boolean {
  const [out, read] = [fstatSync(file), statSync(input, { throwIfNoEntry: false })];
  return input !== "-" && read !== undefined && out.isFile() && out.ino === read.ino && out.dev === read.dev;
}

/** Returns the number of complete lines and the offset of the end of the last one. */
function measureLines(file: number): { readonly lines: number; readonly end: number } {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let lines = 0;
  let end = 0;
  for (let at = 0; ; ) {
    const length = readSync(file, chunk, 0, CHUNK_BYTES, at);
    if (length === 0) return { lines, end };
    const read = chunk.subarray(0, length);
    for (let found = read.indexOf(LINE_FEED); found !== -1; found = read.indexOf(LINE_FEED, found + 1)) {
      lines += 1;
      end = at + found + 1;
    }
    at += length;
  }
}

/** Throws unless the file is empty or begins with the first line, or else with an object, or a part of that. */
function requireRows(file: number, head: string): void {
  const expected = Buffer.from(head === "" ? '{"' : head);
  const bytes = Buffer.alloc(expected.length);
  const length = readSync(file, bytes, 0, bytes.length, 0);
  if (bytes.compare(expected, 0, length, 0, length) !== 0) {
    throw new Error("it has other columns or is not the output of a batch; use another --out");
  }
}

/** Reads the lines before an offset. The memory holds a chunk and one line, which this program wrote. */
function* readRows(file: number, end: number): Generator<string> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const decoder = new TextDecoder();
  let rest = "";
  for (let at = 0; at < end; ) {
    const length = readSync(file, chunk, 0, Math.min(CHUNK_BYTES, end - at), at);
    if (length === 0) return;
    at += length;
    const lines = (rest + decoder.decode(chunk.subarray(0, length), { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
