import { statSync } from "node:fs";
import { MaintenanceError } from "./maintenance_error.ts";

/**
 * Refuses a file beside which SQLite keeps what belongs to it: some process works on it or was killed at it, and the
 * file alone is not the database.
 * @throws {MaintenanceError} `in_use`.
 */
export function refuseLiveFile(file: string): void {
  for (const suffix of ["-wal", "-journal"]) {
    if ((statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0) === 0) continue;
    throw new MaintenanceError(
      "in_use",
      `Cannot use "${file}": "${file}${suffix}" beside it says that it is a database at work, not a backup`,
    );
  }
}
