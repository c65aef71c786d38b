/**
 * Packs the program for npm: `bun src/build/package.ts [FOLDER]` writes `limpid-VERSION.tgz` into FOLDER (default
 * `dist`). The package contains the bundled code, the embedded tables and the snapshot of lists; npm installs Bun and
 * libSQL beside it, so that `npx --package=./limpid-VERSION.tgz limpid` runs with Node alone.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { BUNDLE, collectFiles, findWorkers } from "./contents.ts";

const project = join(import.meta.dir, "../..");
const DOCUMENTS = ["CHANGELOG.md", "LICENSE", "NOTICE", "README.md"];

/** The manifest of the package: what runs the program, and nothing of its development. */
function writeManifest(): string {
  const { name, version, description, license, type, packageManager } = manifest;
  const program = {
    ...{ name, version, description, license, type },
    bin: { limpid: "limpid.mjs" },
    engines: { node: ">=18" },
    // libSQL loads native code, which no bundle can contain.
    dependencies: { bun: packageManager.replace("bun@", ""), libsql: manifest.dependencies.libsql },
  };
  return `${JSON.stringify(program, undefined, 2)}\n`;
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
  for (const name of DOCUMENTS) cpSync(join(project, name), join(folder, name));
  cpSync(join(project, "deploy/npm/limpid.mjs"), join(folder, "limpid.mjs"));
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
