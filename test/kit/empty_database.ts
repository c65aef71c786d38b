import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "#store";

export const MIGRATIONS = join(import.meta.dir, "../../drizzle");

let file: Promise<Uint8Array> | undefined;

/**
 * Writes a database file with all tables and no rows. The migrations run once per process: they cost more than all
 * other work of most tests that need a database.
 */
export async function writeEmptyDatabase(path: string): Promise<void> {
  file ??= makeDatabase();
  writeFileSync(path, await file);
}

async function makeDatabase(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "limpid-empty-"));
  try {
    const path = join(folder, "a.db");
    await (await openStore({ url: `file:${path}`, migrations: MIGRATIONS })).close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
