import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createClient } from "@libsql/client";
import { readSchemaState } from "../migrations.ts";
import { syncInProcess } from "../mirror/sync_copy.ts";
import type { StoreOptions } from "../open_store.ts";
import { StoreError } from "../store.ts";
import { checkDatabase } from "./check_database.ts";
import {
  type Database,
  MaintenanceError,
  refuseLiveFile,
  withDatabase,
  withPartFile,
} from "./maintenance.ts";

/** A server that has not sent its database within an hour counts as hanging. */
const COPY_DEADLINE_MS = 3_600_000;

const COPY = "VACUUM INTO ?1";

/**
 * Saves a database as one file while other processes read and write it. The file contains exactly what was committed at
 * one moment: VACUUM INTO blocks no writer, and a server sends whole commits. The file is created beside its target and
 * checked. If it is sound, it is moved to the target in one step. The database is not changed. `program` is the command
 * line that starts this program.
 * @throws {MaintenanceError} when the file exists (unless `force`), cannot be written, or the database is missing,
 * damaged or not made by this program; {StoreError} when a server fails. It then removes unfinished files.
 */
export async function backupDatabase(
  options: StoreOptions,
  file: string,
  { force, program }: { readonly force: boolean; readonly program: readonly string[] },
) {
  const target = resolve(file);
  const { migrations } = options;
  const work = async (database: Database) => {
    const { client, name, path } = database;
    refuseTarget(target, database, force);
    const state = await readSchemaState(client, migrations);
    if (state.kind === "foreign")
      throw new MaintenanceError("damaged", `Cannot save ${name}: ${state.problem}`);
    const mode = path === undefined ? 0o600 : statSync(path).mode & 0o777;
    return withPartFile(target, async (part, moveToTarget) => {
      if (path === undefined) await copyFromServer(options, program, part);
      else await client.execute({ sql: COPY, args: [part] });
      const check = await checkDatabase({ url: `file:${part}`, migrations });
      // A row that is damaged in the database stays in the backup. A file with damaged pages is not a backup.
      if (check.structure !== "ok") {
        const why = check.problems[0] ?? "it could not be checked";
        throw new MaintenanceError("damaged", `Cannot save ${name}: the copy is damaged: ${why}`);
      }
      const { size } = statSync(part);
      refuseTarget(target, database, force);
      moveToTarget(mode);
      return { file: target, bytes: size, check };
    });
  };
  return withDatabase(options, "save", work, { target: ` as "${file}"` });
}

function refuseTarget(target: string, { path, name }: Database, force: boolean): void {
  if (!existsSync(target)) return;
  if (path !== undefined && realpathSync(target) === realpathSync(path))
    throw new MaintenanceError("unwritable", `Cannot save ${name} as "${target}": that is the database`);
  if (!force) throw new MaintenanceError("unwritable", `Cannot write "${target}": it exists`);
  refuseLiveFile(target);
  if (!statSync(target).isFile())
    throw new MaintenanceError("unwritable", `Cannot write "${target}": it is not a file`);
}

/**
 * Copies a database on a server by replication, which shows the state of one moment. A process of its own does it,
 * because libSQL blocks its thread until the server has answered.
 */
async function copyFromServer(options: StoreOptions, program: readonly string[], path: string) {
  const { url, token } = options;
  const copy = join(dirname(path), "replica.db");
  const order = { path: copy, primary: url, check: false, ...(token === undefined ? {} : { token }) };
  const outcome = await syncInProcess(order, program, AbortSignal.timeout(COPY_DEADLINE_MS));
  if (outcome.kind !== "done") throw new StoreError(outcome.problem);
  const replica = createClient({ url: `file:${copy}`, concurrency: 1 });
  try {
    await replica.execute({ sql: COPY, args: [path] });
  } finally {
    replica.close();
  }
}
