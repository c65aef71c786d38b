import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a native part exports. */
type NativePart = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/**
 * Stands for a native part that a compiled binary carries as the zstd file `embedded`, and loads it at the first call:
 * commands that need no database need no place to write either. The system loads code from files only, so it is
 * written to a new folder in the first of `folders` that allows it, loaded, and removed again at once. Left to the
 * runtime it would stay in the system's temporary folder, which a hardened machine may not let us write.
 */
export function loadNativePart(embedded: string, folders: readonly string[]): NativePart {
  let loaded: NativePart | undefined;
  function load(): NativePart {
    const bytes = Bun.zstdDecompressSync(readFileSync(embedded));
    const problems: string[] = [];
    for (const folder of folders) {
      try {
        return loadThrough(folder, bytes);
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error));
      }
    }
    throw new Error(`Cannot load the database's native part: ${problems.join("; ")}`);
  }
  return new Proxy<NativePart>(
    {},
    {
      get: (_, name) =>
        function (this: unknown, ...args: unknown[]) {
          loaded ??= load();
          return loaded[String(name)]?.apply(this, args);
        },
    },
  );
}

function loadThrough(folder: string, bytes: Uint8Array): NativePart {
  const own = mkdtempSync(join(folder, ".native-"));
  try {
    const file = join(own, "part.node");
    writeFileSync(file, bytes, { mode: 0o700 });
    const module: { exports: NativePart } = { exports: {} };
    process.dlopen(module, file);
    return module.exports;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
