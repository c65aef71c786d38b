import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** A temporary file this much older than a new one was left behind by a process that died. */
const LEFT_BEHIND_MS = 600_000;

/**
 * Puts `bytes` in the place of `path` so that a reader, or a crash at any moment, finds the old file or the new one
 * whole: a temporary file beside it, fsync, rename, fsync of the folder. Clears temporary files left behind.
 * @throws the file system's error; the old file is then untouched.
 */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const folder = dirname(path);
  const prefix = `.${basename(path)}.`;
  const temporary = join(folder, `${prefix}${crypto.randomUUID()}.tmp`);
  try {
    const handle = openSync(temporary, "wx", 0o644);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    const writtenMs = statSync(temporary).mtimeMs;
    renameSync(temporary, path);
    syncFolder(folder);
    clearLeftBehind(folder, prefix, writtenMs);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function clearLeftBehind(folder: string, prefix: string, writtenMs: number): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(".tmp")) continue;
    const file = statSync(join(folder, name), { throwIfNoEntry: false });
    if (file !== undefined && writtenMs - file.mtimeMs > LEFT_BEHIND_MS)
      rmSync(join(folder, name), { force: true });
  }
}
