import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { isRecent } from "#common";
import { EXIT, ExitError } from "./exit_codes.ts";

const MAX_BYTES = 1_000_000;

/** The file is looked at this often, when somebody asks. So no timer keeps the process or ends it. */
const LOOK_MS = 1000;

/**
 * Opens a file of the operator and reads it again within a second of a change. A file that is wrong then is refused
 * whole with the reason, and the last good version stays. `name` is what the file has, for messages.
 * @throws {ExitError} with the reason when the file is wrong at the start.
 */
export function openOperatorFile<Content>(
  {
    path,
    name,
    parse,
  }: { readonly path: string; readonly name: string; readonly parse: (text: string) => Content },
  { now, onProblem }: { readonly now: () => number; readonly onProblem: (message: string) => void },
) {
  const refuse = (error: unknown) =>
    `Cannot read ${name} "${path}": ${error instanceof Error ? error.message : String(error)}`;
  let state = describeFile(path);
  let lookedAt = now();
  let content: Content;
  try {
    content = parse(readFile(path));
  } catch (error) {
    throw new ExitError(EXIT.config, refuse(error));
  }
  return {
    /** The content of the last good version of the file. The same object until the file changes. */
    read(): Content {
      const nowMs = now();
      if (isRecent(lookedAt, nowMs, LOOK_MS)) return content;
      lookedAt = nowMs;
      const current = describeFile(path);
      if (current === state) return content;
      state = current;
      try {
        content = parse(readFile(path));
      } catch (error) {
        onProblem(refuse(error));
      }
      return content;
    },
  };
}

/** The time of change and the size of the file, or why it cannot be read. */
function describeFile(path: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
  } catch (error) {
    return String(error);
  }
}

/** @throws {Error} when it is not a file, larger than 1 MB, or not UTF-8. */
function readFile(path: string): string {
  // Opening a pipe without a writer would wait for one.
  if (!statSync(path).isFile()) throw new Error("it is not a file");
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, MAX_BYTES) + 1);
    const length = readSync(file, bytes, 0, bytes.length, 0);
    if (length > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
  } finally {
    closeSync(file);
  }
}
