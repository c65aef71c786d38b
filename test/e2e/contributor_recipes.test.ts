import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readToEnd } from "#kit";
import { type Block, listDocuments, PROJECT } from "../docs/list_documents.ts";

/**
 * The recipes of docs/contributors/ applied to a copy of the project, all of them together: a block whose fence names a
 * file is that file, `diff` changes one (`@@` parts its places, `…` ends a line that goes on), and `sh` is run.
 */
const recipes = listDocuments().filter(({ path }) => path.startsWith("docs/contributors/"));
const COPIED = ["src", "test", "drizzle", "docs", "seed", "static", "deploy"];
const FILES = [
  "package.json",
  "tsconfig.json",
  "bunfig.toml",
  "biome.json",
  ".env.example",
  "README.md",
  "AGENTS.md",
];

describe("recipes for contributors", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "limpid-recipes-"));
    for (const name of COPIED) cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
    for (const name of FILES) cpSync(join(PROJECT, name), join(folder, name));
    symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
    for (const { path, blocks } of recipes) {
      for (const block of blocks) apply(folder, block, `${path}:${block.line}`);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("change and make the files they name", () => {
    const made = recipes.flatMap(({ blocks }) => blocks.filter(({ info }) => info !== ""));
    expect(made.length).toBeGreaterThan(25);
  });

  test("leave no wrong type in the program and in what they make", async () => {
    const { out } = await run(["node_modules/.bin/tsc", "--noEmit"], folder);
    const named = new Set(recipes.flatMap(({ blocks }) => blocks.map(({ info }) => info)));
    const files = [...out.matchAll(/^(\S+?)\(\d+,\d+\): error TS/gm)].map((match) => match[1] ?? "");
    const wrong = files.filter((file) => file.startsWith("src/") || named.has(file));
    expect(wrong, out).toEqual([]);
  }, 180_000);

  for (const { path, blocks } of recipes) {
    for (const { code, language, line } of blocks) {
      if (language !== "sh") continue;
      test(`${path}:${line}`, async () => {
        const bun = `bun() { "${process.execPath}" "$@"; }\n`;
        const { code: status, out } = await run(["bash", "-euc", bun + code], folder);
        expect(status, out).toBe(0);
      });
    }
  }
});

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
    throw new Error(`${at}: these lines stand there ${places.length} times:\n${old.join("\n")}`);
  let step = 0;
  const changed = rows.flatMap((row) => {
    if (row.startsWith("+")) return [row.slice(1)];
    const line = lines[place + step] ?? "";
    step += 1;
    return row.startsWith("-") ? [] : [line];
  });
  return [...lines.slice(0, place), ...changed, ...lines.slice(place + old.length)].join("\n");
}
