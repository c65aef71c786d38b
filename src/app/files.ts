import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "#common";
import type { StaticFile } from "#http";

/** Folders that ship with the program. */
export type Paths = ReturnType<typeof locatePaths>;

/** What the composition takes from the process. */
export interface AppContext {
  readonly paths: Paths;
  readonly version: string;
  readonly now: () => number;
  readonly log: Log;
  /** Number of log lines that could not be written; absent when they are not counted. */
  readonly lostLogLines?: () => number;
}

/** The folder inside a compiled binary that holds its modules and the embedded files. */
const EMBEDDED = "/$bunfs/root";

/**
 * Returns the folders that ship with the program. `mainFolder` is the folder of the main module: `src` in the project,
 * or the inside of a binary (https://bun.com/docs/bundler/executables). Files inside a binary can be read by path, but
 * not listed by globs, opened by handle or written.
 */
export function locatePaths(mainFolder: string) {
  const root = mainFolder === EMBEDDED ? EMBEDDED : join(mainFolder, "..");
  // The package on npm contains their files in a folder of another name, because npm leaves out `node_modules`.
  const packaged = join(root, "packages");
  return {
    fonts: join(root, "fonts"),
    migrations: join(root, "drizzle"),
    /** Installed packages; a few of their files are served. */
    packages: existsSync(packaged) ? packaged : join(root, "node_modules"),
    seed: join(root, "seed"),
    static: join(root, "static"),
    /** The command line that starts this program again. */
    program: [process.execPath, ...(root === EMBEDDED ? [] : [join(mainFolder, "main.ts")])],
  };
}

/** Files of packages that are served unchanged under `/static`: served name, and path in the packages folder. */
export const PACKAGE_FILES: Readonly<Record<string, string>> = {
  // The build without its own style sheets: the content security policy forbids styles that a script adds.
  "altcha.js": "altcha/dist/external/altcha.min.js",
  "altcha_worker.js": "altcha/dist/workers/pbkdf2.js",
};

/** Media types of static files by file name extension; a file with another extension is not served. */
const STATIC_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  png: "image/png",
  webmanifest: "application/manifest+json; charset=utf-8",
};

/** Returns a function that reads a file under `/static` by name; each file is read once and kept in memory. */
export function readStatic(
  paths: Pick<Paths, "packages" | "static">,
): (name: string) => StaticFile | undefined {
  const files = new Map<string, StaticFile>();
  return (name) => {
    const known = files.get(name);
    if (known !== undefined) return known;
    const extension = /^[a-z0-9_]+\.([a-z]+)$/.exec(name)?.[1] ?? "";
    const contentType = Object.hasOwn(STATIC_TYPES, extension) ? STATIC_TYPES[extension] : undefined;
    const packaged = Object.hasOwn(PACKAGE_FILES, name) ? PACKAGE_FILES[name] : undefined;
    const path = packaged === undefined ? join(paths.static, name) : join(paths.packages, packaged);
    if (contentType === undefined || !existsSync(path)) return undefined;
    const file = { body: new Uint8Array(readFileSync(path)), contentType };
    files.set(name, file);
    return file;
  };
}
