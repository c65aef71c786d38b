import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { encodeTable, RangeSet, readTableOrigin, replaceFile, unionRanges, ValuePool } from "#datasets";
import shipped from "./lists.json" with { type: "json" };
import {
  type SnapshotContents,
  SnapshotContentsSchema,
  snapshotError,
  unpackSnapshot,
} from "./snapshot_file.ts";

/** Name of the compiled table in the folder of the seed, and its id. */
export const SNAPSHOT_TABLE = "snapshot";

/** Must be increased when the same snapshot results in another table. */
const RECIPE = 1;
const MAX_FILE_BYTES = 4_194_304;

/** The outcome: the table was current, was compiled, or cannot be compiled. */
export type SnapshotOutcome =
  | { readonly did: "kept" | "compiled"; readonly date: string }
  | { readonly did: "failed"; readonly problem: string };

/** Reads the list of contents. @throws {DatasetError} when it is not such a list. */
export function readSnapshotContents(contents: unknown = shipped): SnapshotContents {
  const result = v.safeParse(SnapshotContentsSchema, contents);
  if (!result.success) throw snapshotError("its list of contents has a wrong format");
  return result.output;
}

/** Gives the origin of the table that a snapshot results in. It shows whether a table is still current. */
export function snapshotOrigin({ checksum }: SnapshotContents): string {
  return `snapshot ${checksum}, recipe ${RECIPE}`;
}

/**
 * Compiles the snapshot that ships with the program into `snapshot.table` in `directory`, unless it is there. `from`
 * names another list of contents and file of ranges. Never throws.
 */
export function prepareSnapshot(
  directory: string,
  from: { readonly contents: unknown; readonly ranges: string } = {
    contents: shipped,
    ranges: join(import.meta.dir, "ranges.zst"),
  },
): SnapshotOutcome {
  try {
    const contents = readSnapshotContents(from.contents);
    const origin = snapshotOrigin(contents);
    const date =
      contents.lists
        .map((list) => list.date)
        .toSorted()
        .at(-1) ?? "";
    const file = join(directory, `${SNAPSHOT_TABLE}.table`);
    if (readTableOrigin(file) === origin) return { did: "kept", date };
    const bytes = readFileSync(from.ranges);
    if (bytes.length > MAX_FILE_BYTES) throw snapshotError(`it has ${bytes.length} bytes`);
    const table = compileSnapshot(contents, bytes, { origin, date });
    mkdirSync(directory, { recursive: true });
    replaceFile(file, table);
    return { did: "compiled", date };
  } catch (error) {
    return { did: "failed", problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Compiles all lists into one table. A value is a JSON array of the entries about its range, as of downloaded lists. */
function compileSnapshot(
  contents: SnapshotContents,
  bytes: Uint8Array,
  made: { readonly origin: string; readonly date: string },
): Uint8Array {
  const sets = { 4: new RangeSet(4), 6: new RangeSet(6) };
  // A value of a range is the position of its list, from 1.
  unpackSnapshot(contents, bytes, (version, first, last, list) => sets[version].add(first, last, list + 1));
  const entries = contents.lists.map(({ feed, meaning, label }) =>
    JSON.stringify({ feed, meaning, ...(label === undefined ? {} : { label }) }),
  );
  const values = new ValuePool();
  const intern = (ids: readonly number[]) => values.intern(`[${ids.map((id) => entries[id - 1]).join()}]`);
  return encodeTable({
    ...made,
    id: SNAPSHOT_TABLE,
    ipv4: unionRanges(sets[4], intern),
    ipv6: unionRanges(sets[6], intern),
    values,
  });
}
