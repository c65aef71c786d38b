import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder } from "#kit";
import { formatAsKinds, readAsLists } from "../../src/build/as_kinds.ts";
import { AS_LISTS, writeAsLists } from "./as_lists.ts";

let folder = "";
beforeAll(() => {
  folder = createTemporaryFolder("limpid-as-kinds-");
  writeAsLists(folder);
});

describe("readAsLists()", () => {
  test("reads every format, and gives a number that openasn checked to openasn alone", () => {
    const lists = readAsLists(folder).map(({ origin, kind, numbers }) => [origin, kind, [...numbers]]);
    expect(lists).toEqual([
      ["openasn", "vpn", [64496]],
      ["openasn", "hosting", [64497]],
      ["openasn", "cdn", [64498]],
      ["openasn", "gateway", [64499]],
      ["openasn", "mobile", [64500]],
      ["openasn", "isp", [64501]],
      ["openasn", "business", [64502]],
      ["x4bnet", "vpn_host", [64504]],
      ["x4bnet", "hosting", [64505, 64506]],
      ["oxl", "vpn_host", [64507]],
      ["oxl", "hosting", [64508]],
      ["oxl", "education", [64509]],
      ["oxl_isp", "isp", [64511, 64510]],
    ] as never);
  });

  test("names the file and the row that it cannot read", () => {
    expect(() => readAsLists(join(folder, "nothing"))).toThrow('Cannot read "openasn/vpn_provider.txt"');
    const path = join(folder, "oxl/asn-isp.csv");
    writeFileSync(path, "ASN,Organization\nExample\n");
    expect(() => readAsLists(folder)).toThrow('Cannot read "oxl/asn-isp.csv": Cannot read the row "Example"');
    writeFileSync(path, AS_LISTS["oxl/asn-isp.csv"] ?? "");
  });
});

describe("formatAsKinds()", () => {
  test("writes the table with sorted numbers", () => {
    const text = formatAsKinds(folder);
    expect(text).toContain("\noxl_isp\tisp\t64510 64511\n");
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
  });
});
