import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { DatasetError } from "./dataset_error.ts";
import type { RangeTable } from "./range_table.ts";
import { readTable, type TableWanted } from "./read_table.ts";
import { TABLE_LAYOUT } from "./table_layout.ts";

/**
 * Opens a table file, or `FILE.zst` where only that is there, as in a compiled binary. The whole file is read into
 * memory, not mapped: a file cut short behind a mapping would kill the process (SIGBUS) instead of failing, and what
 * is in memory outlives any replacement on disk.
 * @throws {DatasetError} when it is absent, unreadable, truncated, damaged or another file.
 */
export function openTable<Value>(file: string, wanted: TableWanted<Value>): RangeTable<Value> {
  const packed = `${file}.zst`;
  const bytes = existsSync(packed) && !existsSync(file) ? unpack(packed) : readWhole(file);
  return readTable(bytes, file, wanted);
}

/** What ships inside a binary cannot be opened by handle, only read at once. */
function unpack(file: string): Uint8Array<ArrayBuffer> {
  try {
    const { buffer, byteOffset, byteLength } = Bun.zstdDecompressSync(readFileSync(file));
    if (buffer instanceof ArrayBuffer && byteOffset === 0) return new Uint8Array(buffer, 0, byteLength);
    return new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength));
  } catch (cause) {
    throw new DatasetError(`Cannot use table "${file}": ${describe(cause)}`, { cause });
  }
}

function readWhole(file: string): Uint8Array<ArrayBuffer> {
  try {
    if (!statSync(file).isFile()) throw new Error("it is not a regular file");
    const handle = openSync(file, "r");
    try {
      const size = fstatSync(handle).size;
      if (size > TABLE_LAYOUT.maxBytes) throw new Error(`it has ${size} bytes`);
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
    throw new DatasetError(`Cannot use table "${file}": ${describe(cause)}`, { cause });
  }
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause && cause.code === "ENOENT" ? "there is no such file" : cause.message;
}
