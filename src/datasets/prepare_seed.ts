import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { compileTable } from "./encode_table.ts";
import { DatasetError, describeCause, replaceFile } from "./files.ts";
import { SEED_TABLES, type SeedTable } from "./seed_tables.ts";
import { readTableHeader, TABLE_LAYOUT } from "./table_format.ts";
import type { TableId } from "./table_values.ts";

/** The outcome for one table: it was current, was compiled, or cannot be compiled (an old file then stays). */
type TableOutcome =
  | { readonly did: "kept" | "compiled"; readonly date: string }
  | { readonly did: "failed"; readonly problem: string };
type SeedOutcome = { readonly id: TableId } & TableOutcome;

/**
 * Compiles the installed data packages into table files if a file is absent, incomplete, or made from another version.
 * Only headers are read to find that out, so a second start is quick.
 * @throws {DatasetError} when the directory cannot be written.
 */
export async function prepareSeed(options: {
  readonly directory: string;
  readonly packages: string;
  readonly tables?: readonly SeedTable[];
}): Promise<readonly SeedOutcome[]> {
  const outcomes: SeedOutcome[] = [];
  for (const table of options.tables ?? SEED_TABLES) {
    const made = await prepareTable(table, join(options.packages, table.package), options.directory);
    outcomes.push({ id: table.id, ...made });
  }
  return outcomes;
}

async function prepareTable(seed: SeedTable, folder: string, directory: string): Promise<TableOutcome> {
  const file = join(directory, `${seed.id}.table`);
  let bytes: Uint8Array;
  let date: string;
  try {
    const version = readVersion(folder, seed.package);
    const origin = `${seed.package}@${version}, recipe ${seed.revision}`;
    date = readDate(version, seed.package);
    if (readTableOrigin(file) === origin) return { did: "kept", date };
    const ranges = await seed.read(folder);
    for (const family of ["ipv4", "ipv6"] as const) {
      const { size } = ranges[family];
      if (size < seed.minimumRanges[family])
        throw new DatasetError(`Cannot use "${folder}": only ${size} ${family} ranges`);
    }
    bytes = compileTable({ id: seed.id, origin, date, ...ranges });
  } catch (error) {
    return { did: "failed", problem: error instanceof Error ? error.message : String(error) };
  }
  try {
    mkdirSync(directory, { recursive: true });
    replaceFile(file, bytes);
  } catch (cause) {
    throw new DatasetError(`Cannot write "${file}": ${describeCause(cause)}`, { cause });
  }
  return { did: "compiled", date };
}

/** Reads the origin of a table file; undefined when it is absent, incomplete or cannot be read. */
export function readTableOrigin(file: string): string | undefined {
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
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new DatasetError(`Cannot use package "${name}": it is not installed in "${folder}"`, { cause });
  }
  if (v.is(v.object({ name: v.literal(name), version: v.string() }), manifest)) return manifest.version;
  throw new DatasetError(`Cannot use package "${name}": "${file}" does not name it`);
}

/** The version of these packages contains the day of their data: 2.3.2026061719 was made on 2026-06-17 at 19 h. */
function readDate(version: string, name: string): string {
  const [, year, month, day] = /^\d+\.\d+\.(20\d\d)(\d\d)(\d\d)\d\d$/.exec(version) ?? [];
  const date = `${year}-${month}-${day}`;
  if (Number.isNaN(Date.parse(`${date}T00:00:00Z`))) {
    throw new DatasetError(
      `Cannot use package "${name}": version "${version}" does not hold the day of its data`,
    );
  }
  return date;
}
