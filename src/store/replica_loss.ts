import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import * as v from "valibot";

/**
 * What a copy's files held when it was last in step. libSQL notes by itself how far it has come, but not whether the
 * file still holds that: if the end of the write-ahead log is lost, the rest is added to what is too old, and nothing
 * looks wrong.
 */
export const CopyFactsSchema = v.object({
  bytes: v.number(),
  /** Of the write-ahead log: its salt, which changes whenever it begins anew, and its frames. */
  salt: v.string(),
  frames: v.number(),
});

/** @see CopyFactsSchema */
export type CopyFacts = v.InferOutput<typeof CopyFactsSchema>;

/** It is read into memory; as a rule it has 4 MB, and more only after a first or a long catching up. */
const MAX_LOG_BYTES = 512 * 1024 ** 2;

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Reads the facts of a copy that is open. Format: https://www.sqlite.org/walformat.html#the_wal_index_file_format */
export function readCopyFacts(path: string): CopyFacts {
  const index = readStart(`${path}-shm`, 48);
  if (index === undefined) return { bytes: statSync(path).size, salt: "", frames: 0 };
  return {
    bytes: statSync(path).size,
    salt: index.toString("hex", 32, 40),
    frames: index.readUInt32LE(16),
  };
}

/** What is missing of a copy that nobody has open, or undefined. */
export function findLoss(path: string, facts: CopyFacts): string | undefined {
  const bytes = existsSync(path) ? statSync(path).size : 0;
  if (bytes < facts.bytes) return `the file has ${bytes} of ${facts.bytes} bytes`;
  if (facts.frames === 0) return undefined;
  const size = existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0;
  if (size > MAX_LOG_BYTES) return `the log of ${size} bytes is too large to be checked`;
  const found = size === 0 ? undefined : readLog(readFileSync(`${path}-wal`), facts.frames);
  if (found === undefined) return "the log is missing or damaged";
  // A log that has begun anew since was in the file before it did.
  if (found.salt !== facts.salt) return undefined;
  return found.frames < facts.frames ? `the log has ${found.frames} of ${facts.frames} frames` : undefined;
}

/** Salt and valid frames of a write-ahead log, counted no further than needed. Format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
function readLog(
  log: Buffer,
  needed: number,
): { readonly salt: string; readonly frames: number } | undefined {
  if (log.length < HEADER_BYTES) return undefined;
  const magic = log.readUInt32BE(0);
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return undefined;
  const pageBytes = log.readUInt32BE(8);
  if (pageBytes < 512 || pageBytes > 65_536) return undefined;
  const read = magic === 0x377f0683 ? log.readUInt32BE.bind(log) : log.readUInt32LE.bind(log);
  let sums: readonly [number, number] = [0, 0];
  const add = (from: number, length: number) => {
    let [a, b] = sums;
    for (let at = from; at < from + length; at += 8) {
      a = (a + read(at) + b) >>> 0;
      b = (b + read(at + 4) + a) >>> 0;
    }
    sums = [a, b];
  };
  const matches = (at: number) => log.readUInt32BE(at) === sums[0] && log.readUInt32BE(at + 4) === sums[1];

  add(0, 24);
  if (!matches(24)) return undefined;
  const salt = log.toString("hex", 16, 24);
  let frames = 0;
  for (let at = HEADER_BYTES; frames < needed && at + FRAME_HEADER_BYTES + pageBytes <= log.length; ) {
    if (log.toString("hex", at + 8, at + 16) !== salt) break;
    add(at, 8);
    add(at + FRAME_HEADER_BYTES, pageBytes);
    if (!matches(at + 16)) break;
    frames += 1;
    at += FRAME_HEADER_BYTES + pageBytes;
  }
  return { salt, frames };
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
