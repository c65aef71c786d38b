import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { MaintenanceError } from "./maintenance.ts";

/** A temporary file beside its target. */
export interface PartFile {
  readonly path: string;
  /** Removes the part file and the files that SQLite created beside it. */
  remove(): void;
  /** Moves the part to its target in one step, durably. Without `force` it never replaces a file. */
  moveToTarget(force: boolean): void;
}

/** Suffixes of the files that SQLite keeps beside a database. */
export const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/**
 * Creates an empty file `FILE.PID.part` that only its owner can read. First removes the part files that killed
 * processes left for the same target.
 * @throws {MaintenanceError} `unwritable` when the folder is missing or cannot be written to.
 */
export function createPartFile(file: string, mode = 0o600): PartFile {
  const path = `${file}.${process.pid}.part`;
  const remove = () => {
    for (const suffix of ["", ...COMPANIONS]) rmSync(path + suffix, { force: true });
  };
  try {
    for (const abandoned of findAbandoned(file)) rmSync(abandoned, { recursive: true, force: true });
    remove();
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    throw new MaintenanceError("unwritable", `Cannot write beside "${file}": ${reasonOf(error)}`, {
      cause: error,
    });
  }
  return {
    path,
    remove,
    moveToTarget(force) {
      chmodSync(path, mode);
      syncToDisk(path);
      if (force || !tryLink(path, file)) renameSync(path, file);
      rmSync(path, { force: true });
      syncToDisk(dirname(file));
    },
  };
}

/** Waits until a file, or the list of names of a folder, is on the disk. */
function syncToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Creates a hard link. Returns false on a file system without hard links; there, another process can create the
 * target meanwhile.
 */
function tryLink(path: string, file: string): boolean {
  try {
    linkSync(path, file);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST" && !exists(file)) return false;
    throw new MaintenanceError("exists", `Cannot write "${file}": another process has just created it`, {
      cause: error,
    });
  }
}

function findAbandoned(file: string): readonly string[] {
  const folder = dirname(file);
  const stem = `${basename(file)}.`;
  return readdirSync(folder).flatMap((name) => {
    const pid = name.startsWith(stem)
      ? /^(\d{1,10})\.part(?:-wal|-shm|-journal|\.copy-\w+)?$/.exec(name.slice(stem.length))?.[1]
      : undefined;
    return pid === undefined || isAlive(Number(pid)) ? [] : [join(folder, name)];
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Refuses a file that has a non-empty log beside it: a process uses it or was killed, and the file alone is not the
 * whole database.
 * @throws {MaintenanceError} `in_use`.
 */
export function refuseLiveFile(file: string): void {
  for (const suffix of ["-wal", "-journal"]) {
    if ((statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0) === 0) continue;
    throw new MaintenanceError(
      "in_use",
      `Cannot use "${file}": "${file}${suffix}" beside it shows that it is a database in use, not a backup`,
    );
  }
}
