import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StaticFile } from "#http";
import type { Paths } from "./open_service.ts";
import { PACKAGE_FILES } from "./package_files.ts";

/** The page's own files; anything else under `/static` does not exist. */
const STATIC_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
};

/** Reads the files under `/static` by name, each once: those of packages by table, all others from our own folder. */
export function readStatic(
  paths: Pick<Paths, "packages" | "static">,
): (name: string) => StaticFile | undefined {
  const files = new Map<string, StaticFile>();
  return (name) => {
    const known = files.get(name);
    if (known !== undefined) return known;
    const ending = /^[a-z0-9_]+\.([a-z]+)$/.exec(name)?.[1] ?? "";
    const contentType = Object.hasOwn(STATIC_TYPES, ending) ? STATIC_TYPES[ending] : undefined;
    const packaged = Object.hasOwn(PACKAGE_FILES, name) ? PACKAGE_FILES[name] : undefined;
    const path = packaged === undefined ? join(paths.static, name) : join(paths.packages, packaged);
    if (contentType === undefined || !existsSync(path)) return undefined;
    const file = { body: new Uint8Array(readFileSync(path)), contentType };
    files.set(name, file);
    return file;
  };
}
