/**
 * Packs the program for npm: `bun src/build/package.ts [FOLDER]` writes `limpid-VERSION.tgz` into FOLDER (default
 * `dist`). The package contains the bundled code, the embedded tables and the snapshot of lists; npm installs Bun and
 * libSQL beside it, so that `npx --yes --package=./limpid-VERSION.tgz limpid` runs with Node alone.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { BUNDLE, collectFiles, findWorkers } from "./contents.ts";

const project = join(import.meta.dir, "../..");
const FILES = ["CHANGELOG.md", "LICENSE", "NOTICE", "deploy/npm/README.md", "deploy/npm/limpid.mjs"];

/** The manifest of the package: what runs the program, and nothing of its development. */
function writeManifest(): string {
  const { name, version, description, license, type, packageManager } = manifest;
  const program = {
    ...{ name, version, description, license, type },
    bin: { limpid: "limpid.mjs" },
    // TypeScript and both runtimes find the library here.
    exports: { ".": { types: "./lib/library.d.ts", default: "./lib/library.js" } },
    engines: { node: ">=18" },
    // libSQL loads native code, which no bundle can contain.
    dependencies: { bun: packageManager.replace("bun@", ""), libsql: manifest.dependencies.libsql },
  };
  return `${JSON.stringify(program, undefined, 2)}\n`;
}

/** Writes the types of the library, which name nothing of other files. */
function writeDeclarations(target: string): void {
  const types = mkdtempSync(join(tmpdir(), "limpid-types-"));
  const emit = { noEmit: false, declaration: true, emitDeclarationOnly: true };
  const compilerOptions = {
    ...emit,
    outDir: types,
    rootDir: project,
    types: [join(project, "node_modules/bun-types")],
  };
  const settings = {
    ...{ extends: join(project, "tsconfig.json"), compilerOptions, include: [] },
    files: ["library.ts", "tsv/tsv.d.ts"].map((name) => join(project, "src", name)),
  };
  writeFileSync(join(types, "tsconfig.json"), JSON.stringify(settings));
  const tsc = join(project, "node_modules/.bin/tsc");
  const { success, stdout } = Bun.spawnSync([tsc, "--project", types]);
  if (!success) throw new Error(`Cannot declare the library: ${stdout.toString().trim()}`);
  cpSync(join(types, "src/library.d.ts"), join(target, "library.d.ts"));
  rmSync(types, { recursive: true });
}

const folder = mkdtempSync(join(tmpdir(), "limpid-package-"));
try {
  await collectFiles(folder, "packages");
  await Bun.build({
    ...BUNDLE,
    entrypoints: [join(project, "src/main.ts"), ...findWorkers()],
    outdir: join(folder, "src"),
    // The code opens its workers by the names of their sources.
    naming: { entry: "[name].ts" },
    external: ["libsql"],
  });
  await Bun.build({
    entrypoints: [join(project, "src/library.ts")],
    outdir: join(folder, "lib"),
    target: "node",
    minify: BUNDLE.minify,
  });
  writeDeclarations(join(folder, "lib"));
  for (const path of FILES) cpSync(join(project, path), join(folder, basename(path)));
  chmodSync(join(folder, "limpid.mjs"), 0o755);
  writeFileSync(join(folder, "package.json"), writeManifest());
  const target = resolve(process.argv[2] ?? join(project, "dist"));
  mkdirSync(target, { recursive: true });
  const packed = Bun.spawnSync(["npm", "pack", "--silent", "--pack-destination", target], { cwd: folder });
  if (!packed.success) throw new Error(`npm cannot pack: ${packed.stderr.toString().trim()}`);
  console.log(join(target, packed.stdout.toString().trim()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
