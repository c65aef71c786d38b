import { mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that can be full. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves that many bytes. */
  fill(bytesLeft?: number): void;
  free(): void;
  close(): void;
}

/** Whether this user may mount: otherwise the folder is an ordinary one, which is never full. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "limpid-disk-"));
  const isMounted = run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder);
  if (isMounted) run("umount", folder);
  rmSync(folder, { recursive: true, force: true });
  return isMounted;
}

/** Creates a folder, on its own file system if a size in megabytes is given and this user may mount. */
export function makeSmallDisk(megabytes: number | undefined): SmallDisk {
  const root = mkdtempSync(join(tmpdir(), "limpid-disk-"));
  const mounted =
    megabytes !== undefined && run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", root);
  const folder = join(root, "data");
  mkdirSync(folder);
  const ballast = join(root, "ballast");
  return {
    folder,
    fill(bytesLeft = 0) {
      // Pieces become smaller, so that no space is left.
      for (const bytes of [1_048_576, 65_536, 4096, 1]) {
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(bytes), { flag: "a" });
        } catch {
          // No space left for a piece of this size.
        }
      }
      if (bytesLeft > 0) truncateSync(ballast, Math.max(0, statSync(ballast).size - bytesLeft));
    },
    free: () => rmSync(ballast, { force: true }),
    close() {
      // The driver closes the files of a database only at garbage collection.
      if (mounted) run("umount", "-l", root);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function run(...command: string[]): boolean {
  try {
    return Bun.spawnSync(command, { stdout: "ignore", stderr: "ignore" }).success;
  } catch {
    return false;
  }
}
