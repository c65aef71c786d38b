import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePrefixEnds } from "#address";
import { compileTable, RangeSet, SEED_TABLES, type SeedTable, ValuePool } from "#datasets";
import { encodeMmdb } from "./encode_mmdb.ts";

/** The whole 128-bit (or 32-bit) number as words, without folding mapped addresses. */
export function toWords(version: 4 | 6, value: bigint): number[] {
  const shifts = version === 4 ? [0n] : [96n, 64n, 32n, 0n];
  return shifts.map((shift) => Number((value >> shift) & 0xffff_ffffn));
}

/** A folder that is removed at the end of the test. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "limpid-datasets-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A small table of two families with text values: documentation ranges. */
export function compileSample(id = "country", first = "NO"): Uint8Array<ArrayBuffer> {
  return compileRows(id, [
    ["192.0.2.0/24", first],
    ["198.51.100.0/24", "SE"],
    ["2001:db8::/32", "FI"],
  ]);
}

/** A table of prefixes and their values. */
export function compileRows(
  id: string,
  rows: readonly (readonly [prefix: string, value: string])[],
  date = "2026-06-17",
): Uint8Array<ArrayBuffer> {
  const values = new ValuePool();
  const sets = { ipv4: new RangeSet(4), ipv6: new RangeSet(6) };
  for (const [prefix, value] of rows) {
    const ends = parsePrefixEnds(prefix);
    if (ends === undefined) throw new Error(`Cannot parse "${prefix}"`);
    const set = ends.first.length === 1 ? sets.ipv4 : sets.ipv6;
    set.add(ends.first, ends.last, values.intern(value));
  }
  return compileTable({ id, origin: "sample@1", date, ...sets, values });
}

/** The real seed tables, with a minimum of one range. */
export const SMALL_TABLES: readonly SeedTable[] = SEED_TABLES.map((recipe) => ({
  ...recipe,
  minimumRanges: { ipv4: 1, ipv6: 1 },
}));

const DOC6 = 0x20010db8n << 96n;

/** Writes data packages like the real ones, but tiny, into `folder`. */
export function writePackages(folder: string, version = "2.3.2026061719"): void {
  const scope = join(folder, "@ip-location-db");
  const write = (name: string, files: Readonly<Record<string, string | Uint8Array>>) => {
    mkdirSync(join(scope, name), { recursive: true });
    const manifest = JSON.stringify({ name: `@ip-location-db/${name}`, version });
    for (const [file, content] of Object.entries({ "package.json": manifest, ...files })) {
      writeFileSync(join(scope, name, file), content);
    }
  };
  write("asn", {
    "asn-ipv4-num.csv": `3221225984,3221226239,64496,"Example ""Quoted"", Inc."\n3325256704,3325256959,64497,Plain Networks\n`,
    "asn-ipv6-num.csv": `${DOC6},${DOC6 + (1n << 96n) - 1n},64496,"Example ""Quoted"", Inc."\n`,
  });
  write("asn-country", {
    "asn-country-ipv4-num.csv": "3221225984,3221226239,NO\n3325256704,3325256959,ZZ\n",
    "asn-country-ipv6-num.csv": `${DOC6},${DOC6 + (1n << 96n) - 1n},SE\n`,
  });
  write("dbip-country-mmdb", {
    "dbip-country-ipv4.mmdb": encodeMmdb(4, 24, [{ bits: "110000000000000000000010", country: "FI" }]),
    "dbip-country-ipv6.mmdb": encodeMmdb(6, 24, [
      { bits: DOC6.toString(2).padStart(128, "0").slice(0, 32), country: "DK" },
      // A filler over unallocated space.
      { bits: "0010111", country: "CH" },
    ]),
  });
}
