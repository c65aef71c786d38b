/**
 * Makes the program one file: `bun src/build.ts [--target bun-linux-x64] [--outfile dist/limpid]`.
 * Inside are the runtime, all code and its workers, libSQL's native part, migrations, pages' files and the embedded
 * data; beside it goes `OUTFILE.cdx.json`, the list of what it was made from.
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
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type BuildMetafile, type BunPlugin, JSONC } from "bun";
import { PACKAGE_FILES } from "#cli";
import { prepareSeed, SEED_TABLES } from "#datasets";
import manifest from "../package.json" with { type: "json" };
import { type Lock, listComponents } from "./list_components.ts";
import { rewriteLibsql } from "./rewrite_libsql.ts";

const project = join(import.meta.dir, "..");

/** What Bun calls a machine, and what the publishers of native packages call it. */
const NATIVE_PARTS = {
  "bun-linux-x64": { os: "linux", cpu: "x64", package: "@libsql/linux-x64-gnu" },
  "bun-linux-x64-baseline": { os: "linux", cpu: "x64", package: "@libsql/linux-x64-gnu" },
  "bun-linux-x64-musl": { os: "linux", cpu: "x64", package: "@libsql/linux-x64-musl" },
  "bun-linux-x64-baseline-musl": { os: "linux", cpu: "x64", package: "@libsql/linux-x64-musl" },
  "bun-linux-arm64": { os: "linux", cpu: "arm64", package: "@libsql/linux-arm64-gnu" },
  "bun-linux-arm64-musl": { os: "linux", cpu: "arm64", package: "@libsql/linux-arm64-musl" },
  "bun-darwin-arm64": { os: "darwin", cpu: "arm64", package: "@libsql/darwin-arm64" },
  "bun-darwin-x64": { os: "darwin", cpu: "x64", package: "@libsql/darwin-x64" },
} as const;
type Target = keyof typeof NATIVE_PARTS;

/** Its name inside the binary. */
const NATIVE_PART = "libsql.node.zst";

/** The smallest form of zstd: packed once, unpacked as fast as any other. */
const LEVEL = 22;

/** A condition that ends the build, said in one line. */
class BuildError extends Error {}

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
 * The native part of libSQL for a target: the installed one, or where another machine's is wanted, one that the
 * package manager fetches into `folder`, held to the same lock file and its checksums.
 */
function locateNativePart(target: Target, folder: string): string {
  const { os, cpu, package: name } = NATIVE_PARTS[target];
  const file = join("node_modules", name, "index.node");
  if (existsSync(join(project, file))) return join(project, file);
  mkdirSync(folder);
  for (const kept of ["package.json", "bun.lock"]) cpSync(join(project, kept), join(folder, kept));
  const install = [
    "install",
    "--frozen-lockfile",
    "--production",
    "--ignore-scripts",
    "--os",
    os,
    "--cpu",
    cpu,
  ];
  const { success, stderr } = Bun.spawnSync([process.execPath, ...install], { cwd: folder });
  if (!success || !existsSync(join(folder, file))) {
    throw new BuildError(`Cannot install "${name}" for ${target}: ${stderr.toString().trim()}`);
  }
  return join(folder, file);
}

/** Has libSQL load its native part from inside the binary; `wasUsed` tells whether it came by at all. */
function embedLibsql(): { readonly plugin: BunPlugin; readonly wasUsed: () => boolean } {
  const loader = JSON.stringify(join(import.meta.dir, "load_native_part.ts"));
  const body = `
    const { loadNativePart } = require(${loader});
    const folders = [process.env.LIMPID_DATA_DIR || "data", require("node:os").tmpdir()];
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

/** Every module that some file starts as a thread; in the binary they stand beside the main one under their own name. */
function findWorkers(): readonly string[] {
  const start = /\bnew Worker\(\s*new URL\("\.\/([a-z0-9_]+\.ts)", import\.meta\.url\)/g;
  const workers = new Set<string>();
  for (const place of globSync("src/**/*.ts", { cwd: project })) {
    const path = join(project, place);
    if (path === import.meta.path) continue;
    const text = readFileSync(path, "utf8");
    const found = [...text.matchAll(start)].map(([, name = ""]) => join(dirname(path), name));
    if (found.length !== text.split("new Worker(").length - 1) {
      throw new BuildError(
        `Cannot embed the worker of "${place}": it is not new URL("./name.ts", import.meta.url)`,
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

/** Lays out what is embedded as it will stand beside the modules. */
async function layOut(folder: string, nativePart: string): Promise<void> {
  mkdirSync(join(folder, "native"), { recursive: true });
  pack(nativePart, join(folder, "native", NATIVE_PART));
  for (const name of ["drizzle", "static"]) {
    cpSync(join(project, name), join(folder, name), { recursive: true });
  }
  // The generator's own memory, of no use to the migrator.
  for (const snapshot of globSync("drizzle/meta/*_snapshot.json", { cwd: folder }))
    rmSync(join(folder, snapshot));
  for (const place of Object.values(PACKAGE_FILES)) {
    cpSync(join(project, "node_modules", place), join(folder, "node_modules", place));
  }

  const seed = join(project, "seed");
  mkdirSync(join(folder, "seed"));
  for (const made of await prepareSeed({ directory: seed, packages: join(project, "node_modules") })) {
    if (made.did === "failed") throw new BuildError(`Cannot embed the table "${made.id}": ${made.problem}`);
    pack(join(seed, `${made.id}.table`), join(folder, "seed", `${made.id}.table.zst`));
  }
}

function pack(from: string, to: string): void {
  writeFileSync(to, Bun.zstdCompressSync(readFileSync(from), { level: LEVEL }));
}

/** Places of the packages whose code or data is inside, relative to `node_modules`. */
function findPackages(metafile: BuildMetafile, target: Target): readonly string[] {
  const places = new Set<string>(SEED_TABLES.map((recipe) => recipe.package));
  places.add(NATIVE_PARTS[target].package);
  const files = Object.values(PACKAGE_FILES).map((place) => `node_modules/${place}`);
  for (const input of [...files, ...Object.keys(metafile.inputs)]) {
    const place = /\/node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(`/${input}`)?.[1];
    if (place !== undefined) places.add(place);
  }
  return [...places];
}

function readLicence(place: string): string | undefined {
  const file = join(project, "node_modules", place, "package.json");
  if (!existsSync(file)) return undefined;
  const { license } = JSON.parse(readFileSync(file, "utf8")) as { readonly license?: unknown };
  return typeof license === "string" ? license : undefined;
}

/** Paths of all files in a folder. */
function listFiles(folder: string): readonly string[] {
  return globSync("**/*", { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
}

/** Megabytes of the file, and of what was put into the runtime. */
function describeSizes(contents: string, metafile: BuildMetafile, total: number): string {
  const code = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  const parts: (readonly [string, number])[] = [["code", code]];
  for (const name of readdirSync(contents).sort()) {
    const folder = join(contents, name);
    parts.push([name, listFiles(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)]);
  }
  const show = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${show(total)}, of which ${parts.map(([name, bytes]) => `${name} ${show(bytes)}`).join(", ")}`;
}

async function build(args: readonly string[]): Promise<void> {
  const { target, outfile } = readArguments(args);
  const folder = mkdtempSync(join(tmpdir(), "limpid-build-"));
  try {
    const contents = join(folder, "contents");
    await layOut(contents, locateNativePart(target, join(folder, "packages")));
    const libsql = embedLibsql();
    // Embedded files keep their paths relative to the folder one is in.
    process.chdir(contents);
    const { metafile } = await Bun.build({
      entrypoints: [join(project, "src/main.ts"), ...findWorkers()],
      root: join(project, "src"),
      naming: { entry: "[name].[ext]" },
      target: "bun",
      plugins: [libsql.plugin],
      // Identifiers stay: the web framework reads its handlers' source.
      minify: { whitespace: true, syntax: true, identifiers: false },
      // Some packages have it inlined here, others read it when they start.
      define: { "process.env.NODE_ENV": '"production"' },
      banner: 'Bun.env.NODE_ENV="production";',
      metafile: true,
      // Halves the time until the first line runs, for a twentieth more to carry.
      bytecode: true,
      format: "esm",
      compile: {
        target,
        outfile: join(folder, "limpid"),
        // Folders, not files: those would lose their paths.
        assets: readdirSync(contents)
          .sort()
          .map((name) => `./${name}`),
        autoloadBunfig: false,
        autoloadDotenv: false,
        autoloadPackageJson: false,
        autoloadTsconfig: false,
      },
    });
    if (!libsql.wasUsed()) throw new BuildError("Cannot embed libSQL: nothing asked for libsql/index.js");
    if (metafile === undefined) throw new BuildError("Cannot list the parts: the bundler tells none");
    const binary = readFileSync(join(folder, "limpid"));
    const parts = listComponents({
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
    writeFileSync(`${outfile}.cdx.json`, `${JSON.stringify(parts, undefined, 2)}\n`);
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
