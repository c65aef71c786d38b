import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAddress } from "#address";
import { compileTable, type Datasets, openDatasets, RangeSet, type TableId, ValuePool } from "#datasets";
import type { TableRecording } from "./fixture.ts";

/** Real tables in a temporary folder. A table that is not recorded has no file. */
export interface OpenTables {
  readonly datasets: Datasets;
  close(): void;
}

/** Writes the recorded tables and opens them as the service does. */
export function openTables(recordings: Readonly<Partial<Record<TableId, TableRecording>>>): OpenTables {
  const directory = mkdtempSync(join(tmpdir(), "limpid-tables-"));
  for (const [id, recording] of Object.entries(recordings)) {
    const bytes = compile(id, recording);
    // One changed bit near the end: the header is correct, the checksum is not.
    if (recording.isDamaged === true) bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
    writeFileSync(join(directory, `${id}.table`), bytes);
  }
  return {
    datasets: openDatasets({ directory }),
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function compile(id: string, { first, last, value, date }: TableRecording): Uint8Array {
  const from = parseAddress(first);
  const to = parseAddress(last);
  if (from === undefined || to === undefined) throw new Error(`Cannot read range "${first}" – "${last}"`);
  const values = new ValuePool();
  const ranges = new RangeSet(from.version);
  ranges.add(from.words, to.words, values.intern(value));
  return compileTable({ id, origin: "fixture", date, values, [`ipv${from.version}`]: ranges });
}
