import { beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createTemporaryFolder, readToEnd } from "#kit";
import { type Block, listDocuments, PROJECT } from "../docs/list_documents.ts";

/**
 * Applies all recipes of docs/contributors to one copy of the project, runs their commands, and runs `bun run ok` there.
 * A block whose fence names a file is this file. A `diff` block changes the file: `@@` separates places, `…` at the end
 * of a line stands for the rest of the line. A `sh` block is run.
 */
const recipes = listDocuments().filter(({ path }) => path.startsWith("docs/contributors/"));

/** Time for one command in the copy; `bun run ok` takes about 30 seconds on two idle cores. */
const COMMAND_MS = 600_000;

describe("recipes for contributors", () => {
  let folder: string;

  beforeAll(() => {
    folder = copyProject();
    for (const { path, blocks } of recipes) {
      for (const block of blocks) apply(folder, block, `${path}:${block.line}`);
    }
  });

  test("create and change files", () => {
    const named = recipes.flatMap(({ blocks }) => blocks.filter(({ info }) => info !== ""));
    expect(named.length).toBeGreaterThan(25);
  });

  for (const { path, blocks } of recipes) {
    for (const { code, language, line } of blocks) {
      if (language !== "sh") continue;
      test(
        `run: ${path}:${line}`,
        async () => {
          const bun = `bun() { "${process.execPath}" "$@"; }\n`;
          const { code: status, out } = await run(["bash", "-euc", bun + code], folder);
          expect(status, out).toBe(0);
        },
        COMMAND_MS,
      );
    }
  }

  test(
    "need no other change: `bun run ok` passes in the copy",
    async () => {
      const { code, out } = await run([process.execPath, "run", "ok"], folder);
      expect(code, out.slice(out.lastIndexOf("\nFailed:"))).toBe(0);
    },
    COMMAND_MS,
  );

  test(
    "leave the documents true",
    async () => {
      const { code, out } = await run([process.execPath, "test", "test/docs"], folder);
      expect(code, out).toBe(0);
    },
    COMMAND_MS,
  );
});

/** Copies every file of the project that git knows or would know, as a repository of its own. */
function copyProject(): string {
  const folder = createTemporaryFolder("limpid-recipes-");
  const { stdout } = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: PROJECT });
  const files = stdout.toString().split("\0");
  for (const name of files.filter((file) => file !== "" && existsSync(join(PROJECT, file)))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(PROJECT, name), join(folder, name));
  }
  if (existsSync(join(PROJECT, "seed")))
    cpSync(join(PROJECT, "seed"), join(folder, "seed"), { recursive: true });
  // Everything but the cache of the checks: the copy has its own.
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(PROJECT, "node_modules"))) {
    if (name !== ".cache")
      symlinkSync(join(PROJECT, "node_modules", name), join(folder, "node_modules", name));
  }
  Bun.spawnSync(["git", "init", "-q"], { cwd: folder });
  return folder;
}

async function run(command: string[], cwd: string): Promise<{ readonly code: number; readonly out: string }> {
  const child = Bun.spawn(command, {
    cwd,
    env: { PATH: `${dirname(process.execPath)}:${Bun.env.PATH ?? ""}`, HOME: tmpdir() },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const { out, err, code } = await readToEnd(child);
  return { code, out: out + err };
}

function apply(folder: string, { language, info, code }: Block, at: string): void {
  if (info === "") return;
  const file = join(folder, info);
  if (language !== "diff") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
    return;
  }
  let text = readFileSync(file, "utf8");
  for (const hunk of code.split(/^@@\n/m)) text = change(text, hunk.trimEnd().split("\n"), `${at}: ${info}`);
  writeFileSync(file, text);
}

function change(text: string, rows: readonly string[], at: string): string {
  const old = rows.filter((row) => !row.startsWith("+")).map((row) => row.slice(1));
  const lines = text.split("\n");
  const fits = (row: string, line: string | undefined) =>
    row.endsWith("…") ? line?.startsWith(row.slice(0, -1)) === true : line === row;
  const places = lines.flatMap((_, place) =>
    old.every((row, step) => fits(row, lines[place + step])) ? [place] : [],
  );
  const [place] = places;
  if (place === undefined || places.length > 1)
    throw new Error(
      `${at}: these lines are in the file ${places.length} times, not once:\n${old.join("\n")}`,
    );
  let step = 0;
  const changed = rows.flatMap((row) => {
    if (row.startsWith("+")) return [row.slice(1)];
    const line = lines[place + step] ?? "";
    step += 1;
    return row.startsWith("-") ? [] : [line];
  });
  return [...lines.slice(0, place), ...changed, ...lines.slice(place + old.length)].join("\n");
}
