import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

/** `current.json`: the copy in the folder of a mirror, its primary, and whether it is complete and sound. */
const MarkerSchema = v.object({
  copy: v.pipe(v.number(), v.integer(), v.minValue(1)),
  primary: v.string(),
  /** Boot id of the machine when the marker was written. */
  boot: v.string(),
  state: v.picklist(["partial", "whole", "suspect"]),
});

/**
 * The sizes of the files of a copy after its last sync. libSQL records its position, but does not check that the
 * files still contain everything up to it: if the end of the write-ahead log is lost, libSQL adds new pages to old
 * ones without an error.
 */
const CopyFactsSchema = v.object({
  bytes: v.number(),
  /** Salt of the write-ahead log, which changes whenever the log starts again, and its number of frames. */
  salt: v.string(),
  frames: v.number(),
});

type CopyFacts = v.InferOutput<typeof CopyFactsSchema>;

/** `synced.json`: the last sync of a copy, milliseconds since the epoch. */
const SyncSchema = v.object({
  copy: v.number(),
  at: v.number(),
  /** Boot id of the machine, or `flushed` when everything is on the disk. */
  boot: v.string(),
  facts: CopyFactsSchema,
});

type Marker = v.InferOutput<typeof MarkerSchema>;

/** A copy in the folder. `problem` says why it must be replaced. */
export interface FoundCopy {
  readonly copy: number;
  readonly isPartial: boolean;
  readonly lastSyncAt?: number;
  readonly problem?: string;
}

/** The folder of a mirror: numbered copies, and two files about them. One copy is served. */
export interface ReplicaFolder {
  /** The database file of a copy. */
  pathOf(copy: number): string;
  /** Undefined when there is no copy of this primary. Must be called before a copy is opened. */
  find(): FoundCopy | undefined;
  /** Writes `current.json` in one step. */
  mark(copy: number, state: Marker["state"]): void;
  /** Creates an empty folder for a copy. */
  clear(copy: number): void;
  /** Removes all other copies. */
  keepOnly(copies: readonly number[]): void;
  /** Records a sync, milliseconds since the epoch. The copy must be open, and nothing may write to it meanwhile. */
  recordSync(copy: number, at: number): void;
  /** Writes the copy of the last sync to the disk. The copy must be open, and nothing may write to it any more. */
  flush(copy: number): void;
}

/** The largest write-ahead log that is read into memory. It usually has 4 MB, and more after a long sync. */
const MAX_LOG_BYTES = 512 * 1024 ** 2;

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Opens the folder of a mirror. Its content can be created again. */
export function openReplicaFolder(directory: string, primary: string): ReplicaFolder {
  const markerFile = join(directory, "current.json");
  const syncFile = join(directory, "synced.json");
  const folderOf = (copy: number) => join(directory, String(copy));
  const pathOf = (copy: number) => join(folderOf(copy), "replica.db");
  const boot = readBootId();
  let lastSyncAt: number | undefined;
  mkdirSync(directory, { recursive: true });

  function writeSync(copy: number, at: number, since: string): void {
    writeJson(syncFile, { copy, at, boot: since, facts: readCopyFacts(pathOf(copy)) });
  }

  return {
    pathOf,
    find() {
      const marker = readJson(markerFile, MarkerSchema);
      if (marker?.primary !== primary || !existsSync(pathOf(marker.copy))) return undefined;
      const { copy, state } = marker;
      if (state === "partial") return marker.boot === boot ? { copy, isPartial: true } : undefined;
      const sync = readJson(syncFile, SyncSchema);
      if (sync?.copy !== copy)
        return { copy, isPartial: false, problem: "the record of its last sync is missing" };
      lastSyncAt = sync.at;
      const problem =
        state === "suspect"
          ? "it was damaged before"
          : sync.boot !== boot && sync.boot !== "flushed"
            ? "the machine was not shut down"
            : findLoss(pathOf(copy), sync.facts);
      return { copy, isPartial: false, lastSyncAt, ...(problem === undefined ? {} : { problem }) };
    },
    mark: (copy, state) => writeJson(markerFile, { copy, primary, boot, state }),
    clear(copy) {
      rmSync(folderOf(copy), { recursive: true, force: true });
      mkdirSync(folderOf(copy), { recursive: true });
    },
    keepOnly(copies) {
      for (const name of readdirSync(directory)) {
        if (/^\d+$/.test(name) && !copies.includes(Number(name)))
          rmSync(join(directory, name), { recursive: true, force: true });
      }
    },
    recordSync(copy, at) {
      lastSyncAt = at;
      writeSync(copy, at, boot);
    },
    flush(copy) {
      if (lastSyncAt === undefined) return;
      for (const name of readdirSync(folderOf(copy))) syncFileToDisk(join(folderOf(copy), name));
      writeSync(copy, lastSyncAt, "flushed");
    },
  };
}

/** Replaces a file in one step. */
function writeJson(path: string, value: unknown): void {
  writeFileSync(`${path}.tmp`, JSON.stringify(value));
  renameSync(`${path}.tmp`, path);
}

/** Reads a file; undefined when it is missing or invalid. The copy that it describes is then not used. */
function readJson<const Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}

function syncFileToDisk(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reads the id that changes with every start of the machine, random(4). Without it, starts cannot be distinguished. */
function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "unknown";
  }
}

/** Reads the facts of an open copy. https://www.sqlite.org/walformat.html#the_wal_index_file_format */
function readCopyFacts(path: string): CopyFacts {
  const index = readStart(`${path}-shm`, 48);
  if (index === undefined) return { bytes: statSync(path).size, salt: "", frames: 0 };
  return {
    bytes: statSync(path).size,
    salt: index.toString("hex", 32, 40),
    frames: index.readUInt32LE(16),
  };
}

/** Describes what a closed copy has lost since its last sync; undefined when nothing is lost. */
function findLoss(path: string, facts: CopyFacts): string | undefined {
  const bytes = existsSync(path) ? statSync(path).size : 0;
  if (bytes < facts.bytes) return `the file has ${bytes} of ${facts.bytes} bytes`;
  if (facts.frames === 0) return undefined;
  const size = existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0;
  if (size > MAX_LOG_BYTES) return `the log of ${size} bytes is too large to be checked`;
  const found = size === 0 ? undefined : readLog(readFileSync(`${path}-wal`), facts.frames);
  if (found === undefined) return "the log is missing or damaged";
  // SQLite moves a log into the file before it starts a new one.
  if (found.salt !== facts.salt) return undefined;
  return found.frames < facts.frames ? `the log has ${found.frames} of ${facts.frames} frames` : undefined;
}

/**
 * The salt and the number of valid frames of a write-ahead log, at most `needed`; undefined for a damaged header.
 * https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
function readLog(
  log: Buffer,
  needed: number,
): { readonly salt: string; readonly frames: number } | undefined {
  if (log.length < LOG_HEADER_BYTES) return undefined;
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
  for (let at = LOG_HEADER_BYTES; frames < needed && at + FRAME_HEADER_BYTES + pageBytes <= log.length; ) {
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
