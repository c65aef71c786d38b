import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { compileTable } from "./compile_table.ts";
import { DatasetError } from "./dataset_error.ts";
import type { TableId } from "./datasets.ts";
import { replaceFile } from "./replace_file.ts";
import type { SeedRecipe } from "./seed_recipe.ts";
import { SEED_RECIPES } from "./seed_recipes.ts";
import { readTableHeader } from "./table_header.ts";
import { TABLE_LAYOUT } from "./table_layout.ts";

/** Where tables go, and the folder (`node_modules`) the data packages are installed in. */
export interface SeedOptions {
  readonly directory: string;
  readonly packages: string;
  readonly recipes?: readonly SeedRecipe[];
}

/** What became of one table: it was current, was compiled, or cannot be (its old file, if any, then stays). */
export type SeedOutcome =
  | { readonly id: TableId; readonly did: "kept" | "compiled"; readonly date: string }
  | { readonly id: TableId; readonly did: "failed"; readonly problem: string };

/**
 * Compiles the installed data packages into table files, where the file is absent, incomplete, or was made from
 * another version. Only headers are read to find that out, so that a second start costs next to nothing.
 * @throws {DatasetError} when the directory cannot be written.
 */
export async function prepareSeed(options: SeedOptions): Promise<readonly SeedOutcome[]> {
  const outcomes: SeedOutcome[] = [];
  for (const recipe of options.recipes ?? SEED_RECIPES) {
    const made = await prepareTable(recipe, join(options.packages, recipe.package), options.directory);
    outcomes.push({ id: recipe.id, ...made });
  }
  return outcomes;
}

type Made =
  | { readonly did: "kept" | "compiled"; readonly date: string }
  | { readonly did: "failed"; readonly problem: string };

async function prepareTable(recipe: SeedRecipe, folder: string, directory: string): Promise<Made> {
  const file = join(directory, `${recipe.id}.table`);
  let table: Uint8Array;
  let date: string;
  try {
    const version = readVersion(folder, recipe.package);
    const origin = `${recipe.package}@${version}, recipe ${recipe.revision}`;
    date = readDate(version, recipe.package);
    if (readOrigin(file) === origin) return { did: "kept", date };
    const ranges = await recipe.read(folder);
    for (const family of ["ipv4", "ipv6"] as const) {
      const { size } = ranges[family];
      if (size < recipe.minimumRanges[family])
        throw new DatasetError(`Cannot use "${folder}": only ${size} ${family} ranges`);
    }
    table = compileTable({ id: recipe.id, origin, date, ...ranges });
  } catch (error) {
    return { did: "failed", problem: error instanceof Error ? error.message : String(error) };
  }
  try {
    mkdirSync(directory, { recursive: true });
    replaceFile(file, table);
  } catch (cause) {
    throw new DatasetError(
      `Cannot write "${file}": ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  return { did: "compiled", date };
}

/** What a table file says it was made from; undefined when it is absent, incomplete or not ours to read. */
function readOrigin(file: string): string | undefined {
  try {
    const handle = openSync(file, "r");
    try {
      const bytes = new Uint8Array(TABLE_LAYOUT.headerBytes);
      const header = readTableHeader(bytes.subarray(0, readSync(handle, bytes)), file);
      return header.bytes === fstatSync(handle).size ? header.origin : undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

function readVersion(folder: string, name: string): string {
  const file = join(folder, "package.json");
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    const fields = typeof manifest === "object" && manifest !== null ? manifest : {};
    if (
      "name" in fields &&
      fields.name === name &&
      "version" in fields &&
      typeof fields.version === "string"
    ) {
      return fields.version;
    }
  } catch (cause) {
    throw new DatasetError(`Cannot use package "${name}": it is not installed in "${folder}"`, { cause });
  }
  throw new DatasetError(`Cannot use package "${name}": "${file}" does not name it`);
}

/** These packages carry the day of their data in the version: 2.3.2026061719 was made on 2026-06-17 at 19 h. */
function readDate(version: string, name: string): string {
  const [, year, month, day] = /^\d+\.\d+\.(20\d\d)(\d\d)(\d\d)\d\d$/.exec(version) ?? [];
  const date = `${year}-${month}-${day}`;
  if (Number.isNaN(Date.parse(`${date}T00:00:00Z`))) {
    throw new DatasetError(
      `Cannot use package "${name}": version "${version}" does not tell the day of its data`,
    );
  }
  return date;
}
