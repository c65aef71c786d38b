import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** A table, or the data that it is made from, cannot be used. The message names the file and the problem. */
export class DatasetError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DatasetError";
  }
}

/** A temporary file this much older than a new one is abandoned: the process that wrote it has ended. */
const ABANDONED_MS = 600_000;

/**
 * Reads a regular file of at most `maxBytes` into a buffer of its own. `task` is the purpose in the message: "Cannot
 * use table "x": …".
 * @throws {DatasetError} when it is absent, unreadable, too large or not a regular file.
 */
export function readWholeFile(
  file: string,
  maxBytes: number,
  task: "read" | "use table" = "read",
): Uint8Array<ArrayBuffer> {
  try {
    if (!statSync(file).isFile()) throw new Error("it is not a regular file");
    const handle = openSync(file, "r");
    try {
      const { size } = fstatSync(handle);
      if (size > maxBytes) throw new Error(`it has ${size} bytes`);
      const bytes = new Uint8Array(size);
      let at = 0;
      while (at < size) {
        const read = readSync(handle, bytes, at, size - at, at);
        if (read === 0) break;
        at += read;
      }
      return at === size ? bytes : bytes.slice(0, at);
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    throw new DatasetError(`Cannot ${task} "${file}": ${describeCause(cause)}`, { cause });
  }
}

/** The message of an error, or "there is no such file". */
export function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause && cause.code === "ENOENT" ? "there is no such file" : cause.message;
}

/**
 * Replaces the file `path` by `bytes` so that a reader, or a crash at any moment, finds the whole old file or the
 * whole new one: temporary file in the same folder, fsync, rename, fsync of the folder. Removes abandoned temporary
 * files of the same path.
 * @throws the file system's error; the old file is then untouched.
 */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const folder = dirname(path);
  const prefix = `.${basename(path)}.`;
  const temporary = join(folder, `${prefix}${crypto.randomUUID()}.tmp`);
  try {
    writeFileSync(temporary, bytes, { flag: "wx", mode: 0o644 });
    syncToDisk(temporary);
    const writtenMs = statSync(temporary).mtimeMs;
    renameSync(temporary, path);
    syncToDisk(folder);
    removeAbandoned(folder, prefix, writtenMs);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Waits until a file, or the list of names of a folder, is on the disk. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function removeAbandoned(folder: string, prefix: string, writtenMs: number): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(".tmp")) continue;
    const file = statSync(join(folder, name), { throwIfNoEntry: false });
    if (file !== undefined && writtenMs - file.mtimeMs > ABANDONED_MS)
      rmSync(join(folder, name), { force: true });
  }
}
