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

/**
 * Runs `work`, which makes a database beside its target: `path`, in the folder `FILE.PID.part` that only its owner can
 * read. `moveToTarget` moves it to its target in one step, durably, and replaces what is there. Removes the folder in
 * the end, and before it the folders that killed processes left for the same target.
 * @throws {MaintenanceError} `unwritable` when the folder of the target is missing or cannot be written to.
 */
export async function withPartFile<Result>(
  file: string,
  work: (path: string, moveToTarget: (mode: number) => void) => Promise<Result>,
): Promise<Result> {
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
    const what = `Cannot write beside "${file}": ${describeFailure(cause)}`;
    throw new MaintenanceError("unwritable", what, { cause });
  }
  const path = join(folder, "database.db");
  try {
    return await work(path, (mode) => {
      chmodSync(path, mode);
      syncToDisk(path);
      renameSync(path, file);
      syncToDisk(parent);
    });
  } finally {
    remove(folder);
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
