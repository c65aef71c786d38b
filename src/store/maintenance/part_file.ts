import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { describeFailure } from "../failures.ts";
import { MaintenanceError } from "./maintenance.ts";

/** A database that is made beside its target, in a folder of its own that only its owner can read. */
export interface PartFile {
  readonly path: string;
  /** Removes the folder with all that SQLite created in it. */
  remove(): void;
  /** Moves the part to its target in one step, durably, and replaces what is there. */
  moveToTarget(mode: number): void;
}

/**
 * Creates the folder `FILE.PID.part`, which has no file yet. First removes the folders that killed processes left for
 * the same target.
 * @throws {MaintenanceError} `unwritable` when the folder of the target is missing or cannot be written to.
 */
export function createPartFile(file: string): PartFile {
  const [parent, stem] = [dirname(file), `${basename(file)}.`];
  const folder = `${file}.${process.pid}.part`;
  const remove = (name: string) => rmSync(name, { recursive: true, force: true });
  try {
    for (const name of readdirSync(parent)) {
      const pid = name.startsWith(stem) && /^(\d{1,10})\.part$/.exec(name.slice(stem.length))?.[1];
      if (pid && (Number(pid) === process.pid || !isAlive(Number(pid)))) remove(join(parent, name));
    }
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    throw new MaintenanceError("unwritable", `Cannot write beside "${file}": ${describeFailure(cause)}`, {
      cause,
    });
  }
  const path = join(folder, "database.db");
  return {
    path,
    remove: () => remove(folder),
    moveToTarget(mode) {
      chmodSync(path, mode);
      syncToDisk(path);
      renameSync(path, file);
      syncToDisk(parent);
    },
  };
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
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
