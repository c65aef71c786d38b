import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, parseAddress } from "#address";
import { compileTable, RangeSet, SEED_TABLES, type SeedTable, ValuePool } from "#datasets";
import { encodeMmdb } from "./encode_mmdb.ts";

/** Parses an address. Throws when the text is not one. */
export function address(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new Error(`Cannot parse address "${text}"`);
  return parsed;
}

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
  const values = new ValuePool();
  const ipv4 = new RangeSet(4);
  ipv4.add([0xc0000200], [0xc00002ff], values.intern(first));
  ipv4.add([0xc6336400], [0xc63364ff], values.intern("SE"));
  const ipv6 = new RangeSet(6);
  ipv6.add([0x20010db8, 0, 0, 0], [0x20010db8, 0xffffffff, 0xffffffff, 0xffffffff], values.intern("FI"));
  return compileTable({ id, origin: "sample@1", date: "2026-06-17", ipv4, ipv6, values });
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
