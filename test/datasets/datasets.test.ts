import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatasetError, openDatasets, prepareSeed } from "#datasets";
import { readAddress } from "#kit";
import { compileSample, SMALL_TABLES, temporaryFolder, writePackages } from "./kit.ts";

describe("openDatasets", () => {
  test("opens no table when the folder does not exist, and reports the problem for each table", () => {
    const datasets = openDatasets({ directory: "/nonexistent/seed" });
    expect(datasets.states().map(({ id, ready }) => `${id} ${ready}`)).toEqual([
      "asn false",
      "registration false",
      "country false",
    ]);
    expect(datasets.state("asn").problem).toBe(
      'Cannot use table "/nonexistent/seed/asn.table": there is no such file',
    );
    for (const table of ["asn", "registration", "country"] as const) {
      expect(() => datasets[table](readAddress("192.0.2.1"))).toThrow(DatasetError);
      expect(() => datasets[table](readAddress("192.0.2.1"))).toThrow(`${table}.table`);
    }
  });

  test("opens the other tables when one is damaged", async () => {
    using folder = temporaryFolder();
    writePackages(join(folder.path, "packages"));
    const directory = join(folder.path, "seed");
    await prepareSeed({ directory, packages: join(folder.path, "packages"), tables: SMALL_TABLES });
    writeFileSync(join(directory, "asn.table"), compileSample("country"));
    const datasets = openDatasets({ directory });
    expect(datasets.state("asn")).toEqual({
      id: "asn",
      ready: false,
      problem: `Cannot use table "${join(directory, "asn.table")}": it holds "country", not "asn"`,
    });
    expect(() => datasets.asn(readAddress("192.0.2.1"))).toThrow(DatasetError);
    expect(datasets.registration(readAddress("192.0.2.1"))).toBe("NO");
  });

  test("never returns a country that is not two upper-case letters", () => {
    using folder = temporaryFolder();
    for (const value of ["ZZ", "no", "Norway", ""]) {
      writeFileSync(join(folder.path, "country.table"), compileSample("country", value));
      const datasets = openDatasets({ directory: folder.path });
      expect(() => datasets.country(readAddress("192.0.2.1"))).toThrow(DatasetError);
      expect(datasets.country(readAddress("198.51.100.1"))).toBe("SE");
    }
  });
});
