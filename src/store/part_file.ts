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
import { MaintenanceError } from "./maintenance_error.ts";

/** A file in the making, beside the place it will take. */
export interface PartFile {
  readonly path: string;
  /** Whatever the part is and has grown beside it goes away. */
  remove(): void;
  /** The part takes its place, in one step and durably. Without `force` it never replaces a file. */
  settle(force: boolean): void;
}

/** What SQLite keeps beside a database. */
export const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/**
 * Makes an empty file `FILE.PID.part`, readable by its owner alone; parts that killed processes left for the same file
 * are removed first.
 * @throws {MaintenanceError} when the folder is missing or cannot be written to.
 */
export function createPartFile(file: string, mode = 0o600): PartFile {
  const path = `${file}.${process.pid}.part`;
  const remove = () => {
    for (const suffix of ["", ...COMPANIONS]) rmSync(path + suffix, { force: true });
  };
  try {
    for (const left of findLeft(file)) rmSync(left, { force: true });
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
    settle(force) {
      chmodSync(path, mode);
      syncToDisk(path);
      if (force || !tryLink(path, file)) renameSync(path, file);
      rmSync(path, { force: true });
      syncToDisk(dirname(file));
    },
  };
}

/** Waits until a file or a folder's list of names is on disk. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** False where the file system has no second names: then nobody can be kept from a name that is free by now. */
function tryLink(path: string, file: string): boolean {
  try {
    linkSync(path, file);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST" && !exists(file)) return false;
    throw new MaintenanceError("exists", `Cannot write "${file}": it exists by now`, { cause: error });
  }
}

function findLeft(file: string): readonly string[] {
  const folder = dirname(file);
  const stem = `${basename(file)}.`;
  return readdirSync(folder).flatMap((name) => {
    const pid = name.startsWith(stem)
      ? /^(\d{1,10})\.part(?:-wal|-shm|-journal)?$/.exec(name.slice(stem.length))?.[1]
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
