import {
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { checkDatabase, type DatabaseCheck } from "./check_database.ts";
import { describeFailure } from "./describe_failure.ts";
import { MaintenanceError } from "./maintenance_error.ts";
import type { ReportProgress } from "./maintenance_progress.ts";
import { databasePath } from "./open_database.ts";
import type { StoreOptions } from "./open_store.ts";
import { COMPANIONS, createPartFile } from "./part_file.ts";
import { refuseLiveFile } from "./refuse_live_file.ts";
import { takeOverFile } from "./take_over_file.ts";

/** A restore that was made. */
export interface DatabaseRestore {
  readonly path: string;
  /** Where the database of before stands now; absent when there was none. */
  readonly aside?: string;
  /** What was found in the file, every row of it read. */
  readonly check: DatabaseCheck;
}

/**
 * Puts a backup in the place of an embedded database that no process has open. The file is copied beside it and looked
 * through first; the database of before gets a second name beside it, and the copy takes its place in one step, so that
 * at every moment one of the two stands there whole. An older form is brought up to date by the next server.
 * @throws {MaintenanceError} when the file is missing, damaged, foreign or of a newer version, when another process
 * works on the database, when there is no room, or when the database is on a server; nothing is changed then.
 */
export async function restoreDatabase(
  options: StoreOptions,
  file: string,
  { now, onProgress = () => {} }: { readonly now: () => number; readonly onProgress?: ReportProgress },
): Promise<DatabaseRestore> {
  const path = databasePath(options.url);
  if (path === undefined) {
    throw new MaintenanceError(
      "unsupported",
      `Cannot restore into database "${new URL(options.url).host}": a server's database is restored by the server's own means`,
    );
  }
  const source = resolve(file);
  refuseSource(source, path);
  mkdirSync(dirname(path), { recursive: true });
  const before = statSync(path, { throwIfNoEntry: false });
  const part = createPartFile(resolve(path), before === undefined ? 0o600 : before.mode & 0o777);
  try {
    onProgress({ doing: "copying the file", done: 0 });
    copyFileSync(source, part.path, constants.COPYFILE_FICLONE);
    const check = await checkDatabase(
      { url: `file:${part.path}`, migrations: options.migrations },
      onProgress,
    );
    refuseUnfit(check, file);
    // Root may restore what a service with fewer rights serves.
    if (before !== undefined && process.getuid?.() === 0) chownSync(part.path, before.uid, before.gid);
    if (before === undefined) {
      for (const suffix of COMPANIONS) rmSync(path + suffix, { force: true });
      part.settle(false);
      return { path, check };
    }
    const taken = await takeOverFile(path);
    try {
      const aside = chooseAside(path, now());
      linkAside(path, aside);
      if (!taken.isFolded) keepCompanions(path, aside);
      // A log of before, found beside the copy, would be taken for its own.
      for (const suffix of COMPANIONS) rmSync(path + suffix, { force: true });
      part.settle(true);
      return { path, aside, check };
    } finally {
      await taken.release();
    }
  } catch (error) {
    if (error instanceof MaintenanceError) throw error;
    throw new MaintenanceError("unwritable", `Cannot restore "${file}": ${describeFailure(error)}`, {
      cause: error,
    });
  } finally {
    part.remove();
  }
}

function refuseSource(source: string, path: string): void {
  if (statSync(source, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new MaintenanceError("missing", `Cannot restore "${source}": there is no such file`);
  }
  if (existsSync(path) && realpathSync(source) === realpathSync(path)) {
    throw new MaintenanceError("unsupported", `Cannot restore "${source}": that is the database`);
  }
  refuseLiveFile(source);
}

function refuseUnfit(check: DatabaseCheck, file: string): void {
  const why =
    check.structure !== "ok"
      ? (check.problems[0] ?? "it could not be looked through")
      : check.form === "foreign"
        ? "it was not made by limpid"
        : check.form === "newer"
          ? "a newer version of limpid has written it"
          : undefined;
  if (why !== undefined) throw new MaintenanceError("damaged", `Cannot restore "${file}": ${why}`);
}

function chooseAside(path: string, nowMs: number): string {
  const stem = `${path}.before-${new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  for (let turn = 1; ; turn += 1) {
    const name = turn === 1 ? stem : `${stem}-${turn}`;
    if (!existsSync(name)) return name;
  }
}

/** The database keeps its own name until the copy takes it; where files have one name only, it is copied aside. */
function linkAside(path: string, aside: string): void {
  try {
    linkSync(path, aside);
  } catch {
    copyFileSync(path, aside, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  }
}

function keepCompanions(path: string, aside: string): void {
  for (const suffix of ["-wal", "-journal"]) {
    if (existsSync(path + suffix)) linkAside(path + suffix, aside + suffix);
  }
}
