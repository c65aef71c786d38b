import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/sys/fs/cgroup";
const MIB = 1024 * 1024;

/** A control group with a limit of memory, as a container has one. */
export interface Container {
  /** A program with arguments: it enters the group and starts the program that follows by `exec`. */
  readonly enter: readonly string[];
  /** Removes the group; its processes must have ended. */
  close(): void;
}

/**
 * Makes a control group of this size (cgroups(7), version 1 or 2), or returns undefined where this user may not. A
 * group of version 2 needs the controller "memory" in `cgroup.subtree_control` of the root.
 */
export function openContainer(megabytes: number): Container | undefined {
  const [parent, limit] = existsSync(join(ROOT, "memory/memory.limit_in_bytes"))
    ? [join(ROOT, "memory"), "memory.limit_in_bytes"]
    : [ROOT, "memory.max"];
  const folder = join(parent, `limpid-${process.pid}`);
  try {
    mkdirSync(folder);
  } catch {
    return undefined;
  }
  try {
    writeFileSync(join(folder, limit), String(megabytes * MIB));
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  return {
    enter: ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', folder],
    close: () => rmdirSync(folder),
  };
}
