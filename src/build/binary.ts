/**
 * Compiles the program into one file: `bun src/build/binary.ts [--target bun-linux-x64] [--outfile dist/limpid]`.
 * The file contains the runtime, all code with its workers, libSQL's native addon, the migrations, the static files
 * and the embedded tables, with the snapshot of lists. Beside it, `OUTFILE.cdx.json` is the software bill of materials.
 */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type BuildMetafile, type BunPlugin, JSONC } from "bun";
import { PACKAGE_FILES } from "#app";
import { SEED_TABLES } from "#datasets";
import manifest from "../../package.json" with { type: "json" };
import { type Lock, listComponents } from "./components.ts";
import { BUNDLE, BuildError, collectFiles, compress, findWorkers } from "./contents.ts";
import { rewriteLibsql } from "./libsql.ts";
import NATIVE_PARTS from "./native_parts.json" with { type: "json" };

const project = join(import.meta.dir, "../..");

/** Bun's build targets. Each has the operating system, the CPU and the package of libSQL's native addon. */
type Target = keyof typeof NATIVE_PARTS;

const NATIVE_PART = "libsql.node.zst";

function readArguments(args: readonly string[]): { readonly target: Target; readonly outfile: string } {
  const { values } = parseArgs({
    args: [...args],
    options: { target: { type: "string" }, outfile: { type: "string" } },
  });
  const target = values.target ?? `bun-${process.platform}-${process.arch}`;
  if (!isTarget(target)) {
    throw new BuildError(`Cannot build for "${target}": choose from ${Object.keys(NATIVE_PARTS).join(", ")}`);
  }
  return { target, outfile: resolve(values.outfile ?? join(project, "dist/limpid")) };
}

function isTarget(name: string): name is Target {
  return Object.hasOwn(NATIVE_PARTS, name);
}

/**
 * Returns the path of libSQL's native addon for a target: the installed one, or for another platform one that the
 * package manager installs into `folder` from the same lock file, with the same checksums.
 */
function locateNativePart(target: Target, folder: string): string {
  const { os, cpu, package: name } = NATIVE_PARTS[target];
  const file = join("node_modules", name, "index.node");
  if (existsSync(join(project, file))) return join(project, file);
  mkdirSync(folder);
  for (const kept of ["package.json", "bun.lock"]) cpSync(join(project, kept), join(folder, kept));
  const options = ["--frozen-lockfile", "--production", "--ignore-scripts", `--os=${os}`, `--cpu=${cpu}`];
  const { success, stderr } = Bun.spawnSync([process.execPath, "install", ...options], { cwd: folder });
  if (!success || !existsSync(join(folder, file))) {
    throw new BuildError(`Cannot install "${name}" for ${target}: ${stderr.toString().trim()}`);
  }
  return join(folder, file);
}

/** A bundler plugin that makes libSQL load its addon from the binary; `wasUsed` says whether libSQL was bundled. */
function embedLibsql(): { readonly plugin: BunPlugin; readonly wasUsed: () => boolean } {
  const loader = JSON.stringify(join(import.meta.dir, "libsql.ts"));
  const body = `
    const { loadNativePart } = require(${loader});
    const folders = [process.env.LIMPID_DATA_DIR, require("node:os").tmpdir(), "data"].filter(Boolean);
    return loadNativePart(import.meta.dir + "/native/${NATIVE_PART}", folders);`;
  let used = false;
  const plugin: BunPlugin = {
    name: "embed-libsql",
    setup(build) {
      build.onLoad({ filter: /\/node_modules\/libsql\/index\.js$/ }, ({ path }) => {
        used = true;
        return { contents: rewriteLibsql(readFileSync(path, "utf8"), body), loader: "js" };
      });
    },
  };
  return { plugin, wasUsed: () => used };
}

/** Paths, relative to `node_modules`, of the packages whose code or data the binary contains. */
function findPackages(metafile: BuildMetafile, target: Target): readonly string[] {
  const paths = new Set<string>(SEED_TABLES.map((table) => table.package));
  paths.add(NATIVE_PARTS[target].package);
  const files = Object.values(PACKAGE_FILES).map((path) => `node_modules/${path}`);
  for (const input of [...files, ...Object.keys(metafile.inputs)]) {
    const path = /\/node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(`/${input}`)?.[1];
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
}

function readLicence(path: string): string | undefined {
  const file = join(project, "node_modules", path, "package.json");
  if (!existsSync(file)) return undefined;
  const { license } = JSON.parse(readFileSync(file, "utf8")) as { readonly license?: unknown };
  return typeof license === "string" ? license : undefined;
}

/** The size of the binary and of each embedded part, in megabytes. */
function describeSizes(contents: string, metafile: BuildMetafile, total: number): string {
  const code = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  const parts: (readonly [string, number])[] = [["code", code]];
  for (const name of readdirSync(contents).sort()) {
    const folder = join(contents, name);
    const files = globSync("**/*", { cwd: folder }).map((path) => statSync(join(folder, path)));
    parts.push([name, files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)]);
  }
  const embedded = parts.reduce((sum, [, bytes]) => sum + bytes, 0);
  parts.unshift(["runtime and bytecode", total - embedded]);
  const show = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${show(total)}, of which ${parts.map(([name, bytes]) => `${name} ${show(bytes)}`).join(", ")}`;
}

async function build(args: readonly string[]): Promise<void> {
  const { target, outfile } = readArguments(args);
  const folder = mkdtempSync(join(tmpdir(), "limpid-build-"));
  try {
    const contents = join(folder, "contents");
    await collectFiles(contents, "node_modules");
    mkdirSync(join(contents, "native"));
    compress(locateNativePart(target, join(folder, "packages")), join(contents, "native", NATIVE_PART));
    const libsql = embedLibsql();
    // Embedded files keep their paths relative to the current folder.
    process.chdir(contents);
    const { metafile } = await Bun.build({
      ...BUNDLE,
      entrypoints: [join(project, "src/main.ts"), ...findWorkers()],
      naming: { entry: "[name].[ext]" },
      plugins: [libsql.plugin],
      metafile: true,
      // Halves the start-up time and makes the file 10 % larger.
      bytecode: true,
      compile: {
        target,
        outfile: join(folder, "limpid"),
        // Folders, because single files would lose their paths.
        assets: readdirSync(contents)
          .sort()
          .map((name) => `./${name}`),
        autoloadBunfig: false,
        autoloadDotenv: false,
        autoloadPackageJson: false,
        autoloadTsconfig: false,
      },
    });
    if (!libsql.wasUsed()) throw new BuildError("Cannot embed libSQL: libsql/index.js was not bundled");
    if (metafile === undefined)
      throw new BuildError("Cannot list the components: the bundler returned no metafile");
    const binary = readFileSync(join(folder, "limpid"));
    const components = listComponents({
      program: manifest,
      sha256: new Bun.CryptoHasher("sha256").update(binary).digest("hex"),
      runtimeVersion: Bun.version,
      target,
      packages: findPackages(metafile, target),
      lock: JSONC.parse(readFileSync(join(project, "bun.lock"), "utf8")) as Lock,
      licenceOf: readLicence,
    });
    mkdirSync(dirname(outfile), { recursive: true });
    writeFileSync(`${outfile}.tmp`, binary, { mode: 0o755 });
    renameSync(`${outfile}.tmp`, outfile);
    writeFileSync(`${outfile}.cdx.json`, `${JSON.stringify(components, undefined, 2)}\n`);
    console.log(
      `${relative(project, outfile)} for ${target}: ${describeSizes(contents, metafile, binary.length)}`,
    );
  } finally {
    process.chdir(project);
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await build(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof BuildError ? error.message : error);
  process.exitCode = 1;
}
