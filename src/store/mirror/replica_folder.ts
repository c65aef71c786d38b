import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createClient, type Transaction } from "@libsql/client";
import * as v from "valibot";
import { isLocked, listCauses } from "../failures.ts";
import { syncToDisk } from "../maintenance/maintenance.ts";
import { readStart } from "../open_store.ts";

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

export type CopyFacts = v.InferOutput<typeof CopyFactsSchema>;

/** `current.json`: the complete copy in the folder of a mirror, its primary, and whether it is sound. */
const MarkerSchema = v.object({
  copy: v.pipe(v.number(), v.integer(), v.minValue(1)),
  primary: v.string(),
  state: v.picklist(["whole", "suspect"]),
});

/** `synced.json`: the last sync of a copy, milliseconds since the epoch. */
const SyncSchema = v.object({
  copy: v.number(),
  at: v.number(),
  /** Boot id of the machine, or `flushed` when everything is on the disk. */
  boot: v.string(),
  facts: CopyFactsSchema,
});

type Marker = v.InferOutput<typeof MarkerSchema>;

/**
 * Opens the folder of a mirror: numbered copies, and two files about them. One copy is served. Its content can be
 * created again.
 */
export function openReplicaFolder(directory: string, primary: string) {
  const markerFile = join(directory, "current.json");
  const syncFile = join(directory, "synced.json");
  const folderOf = (copy: number) => join(directory, String(copy));
  /** The database file of a copy. */
  const pathOf = (copy: number) => join(folderOf(copy), "replica.db");
  const boot = readBootId();
  let last: v.InferOutput<typeof SyncSchema> | undefined;
  mkdirSync(directory, { recursive: true });

  return {
    pathOf,
    /**
     * Finds the copy in the folder. `facts` is its size after its last sync, `problem` says why it must be replaced.
     * Undefined when there is no copy of this primary. Must be called before a copy is opened.
     */
    find() {
      const marker = readJson(markerFile, MarkerSchema);
      if (marker?.primary !== primary || !existsSync(pathOf(marker.copy))) return undefined;
      const { copy, state } = marker;
      const sync = readJson(syncFile, SyncSchema);
      if (sync?.copy !== copy) return { copy, problem: "the record of its last sync is missing" };
      last = sync;
      const problem =
        state === "suspect"
          ? "it was damaged before"
          : sync.boot !== boot && sync.boot !== "flushed"
            ? "the machine was not shut down"
            : undefined;
      const { at: lastSyncAt, facts } = sync;
      return { copy, lastSyncAt, facts, problem };
    },
    /** Writes `current.json` in one step. */
    mark: (copy: number, state: Marker["state"]) => writeJson(markerFile, { copy, primary, state }),
    /** Creates an empty folder for a copy. */
    clear(copy: number): void {
      rmSync(folderOf(copy), { recursive: true, force: true });
      mkdirSync(folderOf(copy), { recursive: true });
    },
    /** Removes all other copies. */
    keepOnly(copies: readonly number[]): void {
      for (const name of readdirSync(directory)) {
        if (/^\d+$/.test(name) && !copies.includes(Number(name)))
          rmSync(join(directory, name), { recursive: true, force: true });
      }
    },
    /** Records a sync, milliseconds since the epoch. */
    recordSync(copy: number, at: number, facts: CopyFacts): void {
      last = { copy, at, boot, facts };
      writeJson(syncFile, last);
    },
    /** Writes the copy of the last sync to the disk. No process may have it open. */
    flush(copy: number): void {
      if (last?.copy !== copy) return;
      for (const name of readdirSync(folderOf(copy))) syncToDisk(join(folderOf(copy), name));
      writeJson(syncFile, { ...last, boot: "flushed" });
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

/** Reads the id that changes with every start of the machine, random(4). Without it, starts cannot be distinguished. */
function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "unknown";
  }
}

/**
 * Locks by an open transaction on a database file. The system ends the lock with the process, also when it is killed.
 * @throws when another process holds the lock for longer than `waitMs`.
 */
export async function lockByFile(path: string, waitMs: number): Promise<{ close(): void }> {
  const client = createClient({ url: `file:${path}`, timeout: waitMs, concurrency: 1 });
  let transaction: Transaction;
  try {
    transaction = await client.transaction("write");
  } catch (error) {
    client.close();
    throw new Error(isLocked(error) ? "another process uses it" : listCauses(error), { cause: error });
  }
  return {
    close() {
      transaction.close();
      client.close();
    },
  };
}

/**
 * Reads the facts of an open copy. A process that reads from the copy must not call this: SQLite's locks on a file end
 * when any handle of their process to the file is closed, and another process would then truncate the index in use.
 * https://www.sqlite.org/walformat.html#the_wal_index_file_format, https://www.sqlite.org/howtocorrupt.html
 */
export function readCopyFacts(path: string): CopyFacts {
  const index = readStart(`${path}-shm`, 48);
  if (index === undefined) return { bytes: statSync(path).size, salt: "", frames: 0 };
  return { bytes: statSync(path).size, salt: index.toString("hex", 32, 40), frames: index.readUInt32LE(16) };
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
