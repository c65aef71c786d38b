import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import * as v from "valibot";

/**
 * The sizes of the files of a copy after its last sync. libSQL records its position, but does not check that the
 * files still contain everything up to it: if the end of the write-ahead log is lost, libSQL adds new pages to old
 * ones without an error.
 */
export const CopyFactsSchema = v.object({
  bytes: v.number(),
  /** Salt of the write-ahead log, which changes whenever the log starts again, and its number of frames. */
  salt: v.string(),
  frames: v.number(),
});

/** See {@link CopyFactsSchema}. */
export type CopyFacts = v.InferOutput<typeof CopyFactsSchema>;

/**
 * Reads the facts of an open copy. A process that reads from the copy must not call this: SQLite's locks on a file end
 * when any handle of their process to the file is closed, and another process would then truncate the index in use.
 * https://www.sqlite.org/walformat.html#the_wal_index_file_format, https://www.sqlite.org/howtocorrupt.html
 */
export function readCopyFacts(path: string): CopyFacts {
  const index = readStart(`${path}-shm`, 48);
  if (index === undefined) return { bytes: statSync(path).size, salt: "", frames: 0 };
  return {
    bytes: statSync(path).size,
    salt: index.toString("hex", 32, 40),
    frames: index.readUInt32LE(16),
  };
}

/** Describes what an open copy has lost since its last sync; undefined when nothing is lost. */
export function findLoss(path: string, known: CopyFacts): string | undefined {
  const found = readCopyFacts(path);
  if (found.bytes < known.bytes) return `the file has ${found.bytes} of ${known.bytes} bytes`;
  if (known.frames === 0) return undefined;
  // SQLite reads a log up to its first wrong checksum, and writes no salt for a missing log or a damaged header.
  if (/^0*$/.test(found.salt)) return "the log is missing or damaged";
  // SQLite moves a log into the file before it starts a new one.
  if (found.salt !== known.salt || found.frames >= known.frames) return undefined;
  return `the log has ${found.frames} of ${known.frames} frames`;
}

function readStart(path: string, length: number): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = Buffer.alloc(length);
  const file = openSync(path, "r");
  try {
    return readSync(file, bytes, 0, length, 0) === length ? bytes : undefined;
  } finally {
    closeSync(file);
  }
}
