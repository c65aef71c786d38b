import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DRAWING_LIBRARY, PACKAGE_FILES } from "#app";
import { prepareSeed } from "#datasets";
import { prepareSnapshot } from "#feeds";

const project = join(import.meta.dir, "../..");

/** The highest zstd level: compression happens once, and decompression is as fast as at any level. */
const LEVEL = 22;

/** An expected failure of the build, described in one line. */
export class BuildError extends Error {}

export const BUNDLE = {
  root: join(project, "src"),
  target: "bun",
  // Elysia reads the source of its handlers, so identifiers must stay.
  minify: { whitespace: true, syntax: true, identifiers: false },
  // The bundler inlines the value into some packages; others read it when they start.
  define: { "process.env.NODE_ENV": '"production"' },
  banner: 'Bun.env.NODE_ENV="production";',
  format: "esm",
} as const;

/** Finds every module that is started as a worker; the binary needs each as an entry point with a unique name. */
export function findWorkers(): readonly string[] {
  const start = /\bnew Worker\(\s*new URL\("\.\/([a-z0-9_]+\.ts)", import\.meta\.url\)/g;
  const workers = new Set<string>();
  for (const file of globSync("src/**/*.ts", { cwd: project })) {
    const path = join(project, file);
    if (path === import.meta.path) continue;
    const text = readFileSync(path, "utf8");
    const found = [...text.matchAll(start)].map(([, name = ""]) => join(dirname(path), name));
    if (found.length !== text.split("new Worker(").length - 1) {
      throw new BuildError(
        `Cannot embed the worker of "${file}": it is not new URL("./name.ts", import.meta.url)`,
      );
    }
    for (const worker of found) workers.add(worker);
  }
  const sorted = [...workers].sort();
  if (new Set(sorted.map((path) => basename(path))).size < sorted.length) {
    throw new BuildError(`Cannot embed workers of one name: ${sorted.join(", ")}`);
  }
  return sorted;
}

/** Collects in `folder` the files that ship beside the code; files of packages lie in its folder `packages`. */
export async function collectFiles(folder: string, packages: string): Promise<void> {
  for (const name of ["drizzle", "fonts", "static"]) {
    cpSync(join(project, name), join(folder, name), { recursive: true });
  }
  // Only the migration generator needs the snapshots.
  for (const snapshot of globSync("drizzle/meta/*_snapshot.json", { cwd: folder }))
    rmSync(join(folder, snapshot));
  for (const path of [...Object.values(PACKAGE_FILES), DRAWING_LIBRARY]) {
    cpSync(join(project, "node_modules", path), join(folder, packages, path));
  }

  const seed = join(project, "seed");
  mkdirSync(join(folder, "seed"));
  const tables = await prepareSeed({ directory: seed, packages: join(project, "node_modules") });
  for (const table of [...tables, { id: "snapshot", ...prepareSnapshot(seed) }]) {
    if (table.did === "failed")
      throw new BuildError(`Cannot embed the table "${table.id}": ${table.problem}`);
    compress(join(seed, `${table.id}.table`), join(folder, "seed", `${table.id}.table.zst`));
  }
}

export function compress(from: string, to: string): void {
  writeFileSync(to, Bun.zstdCompressSync(readFileSync(from), { level: LEVEL }));
}
