import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const cleanups: (() => unknown)[] = [];

/**
 * Runs `cleanup` when the tests that run now have ended: those of one file, or of all files of the process. `afterAll`
 * in a helper is not enough: files that share loaded modules call it only after the first of them. Newest first.
 */
export function cleanUpLater(cleanup: () => unknown): void {
  cleanups.unshift(cleanup);
}

/** Creates a temporary folder that is removed when the tests have ended. */
export function createTemporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  cleanUpLater(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs everything that {@link cleanUpLater} received. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0)) await cleanup();
}
