import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A native addon: the functions it exports. */
type NativeAddon = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** Parts of libSQL's `index.js` (version 0.5) to remove, or to replace by the new function body between two texts. */
const REPLACEMENTS: readonly (readonly [RegExp, readonly [string, string] | undefined])[] = [
  [/^const \{ load, currentTarget \} = require\("@neon-rs\/load"\);$/m, undefined],
  [/^const \{ familySync, GLIBC, MUSL \} = require\("detect-libc"\);$/m, undefined],
  [
    /^function requireNative\(\) \{\n(?:(?: .*)?\n)*? {2}return require\(`@libsql\/\$\{target\}`\);\n\}$/m,
    ["function requireNative() {", "\n}"],
  ],
];

/**
 * Replaces the body of `requireNative` in libSQL's `index.js` by `body`. The original computes the name of the addon's
 * package at run time, which no bundler can follow (https://github.com/oven-sh/bun/issues/18909).
 * @throws {Error} when the file has changed: a binary without its database must not be built.
 */
export function rewriteLibsql(source: string, body: string): string {
  return REPLACEMENTS.reduce((text, [pattern, around]) => {
    if (!pattern.test(text)) throw new Error(`Cannot embed libSQL: its index.js has no ${pattern.source}`);
    return text.replace(pattern, () => (around === undefined ? "" : `${around[0]}${body}${around[1]}`));
  }, source);
}

/**
 * Returns the addon that a compiled binary carries as the zstd file `embedded`. It is loaded at the first call, because
 * commands without a database need no writable folder. The system loads native code from files only: the addon is
 * written to a new folder in the first writable one of `folders`, loaded, and removed at once. Bun's own loader would
 * leave it in the system's temporary folder, which may be read-only on a hardened machine.
 */
export function loadNativePart(embedded: string, folders: readonly string[]): NativeAddon {
  let loaded: NativeAddon | undefined;
  function load(): NativeAddon {
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
  return new Proxy<NativeAddon>(
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

function loadThrough(folder: string, bytes: Uint8Array): NativeAddon {
  const own = mkdtempSync(join(folder, ".native-"));
  try {
    const file = join(own, "part.node");
    writeFileSync(file, bytes, { mode: 0o700 });
    const module: { exports: NativeAddon } = { exports: {} };
    process.dlopen(module, file);
    return module.exports;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
