import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const project = join(import.meta.dir, "../../..");
export const migrations = join(project, "drizzle");

/** Runs `work` in a temporary folder. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "limpid-durability-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies a database with these of the files beside it. */
export function copyFiles(from: string, to: string, suffixes: readonly string[]): void {
  for (const suffix of suffixes) {
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
  }
}
