import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that can be full. */
export interface SmallDisk {
  readonly folder: string;
  /** False if this user may not mount: the folder is then an ordinary one, which is never full. */
  readonly canFill: boolean;
  fill(): void;
  free(): void;
  close(): void;
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
    canFill: mounted,
    fill() {
      // Pieces become smaller, so that no space is left.
      for (const bytes of [1_048_576, 65_536, 4096, 1]) {
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(bytes), { flag: "a" });
        } catch {
          // No space left for a piece of this size.
        }
      }
    },
    free: () => rmSync(ballast),
    close() {
      if (mounted) run("umount", root);
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
