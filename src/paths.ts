import { join } from "node:path";
import type { Paths } from "#cli";

/** Where a compiled binary keeps its modules, all in one folder, and what was embedded beside them. */
const EMBEDDED = "/$bunfs/root";

/**
 * The folders that ship with the program, for the folder of its main module: the project around `src`, or the inside
 * of a binary (https://bun.com/docs/bundler/executables), which reads like a folder but cannot be listed by globs,
 * opened by handle or written.
 */
export function locatePaths(moduleFolder: string): Paths {
  const root = moduleFolder === EMBEDDED ? EMBEDDED : join(moduleFolder, "..");
  return {
    migrations: join(root, "drizzle"),
    packages: join(root, "node_modules"),
    seed: join(root, "seed"),
    static: join(root, "static"),
  };
}
