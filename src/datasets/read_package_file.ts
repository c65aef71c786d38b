import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatasetError } from "./dataset_error.ts";

/** Larger files are no part of a data package we know. */
const MAX_BYTES = 268_435_456;

/**
 * Reads one file of an unpacked data package whole.
 * @throws {DatasetError} when it is absent, unreadable or too large.
 */
export function readPackageFile(
  folder: string,
  name: string,
): { readonly bytes: Buffer; readonly file: string } {
  const file = join(folder, name);
  try {
    const { size } = statSync(file);
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes`);
    return { bytes: readFileSync(file), file };
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const why = missing ? "there is no such file" : cause instanceof Error ? cause.message : String(cause);
    throw new DatasetError(`Cannot read "${file}": ${why}`, { cause });
  }
}
