import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { formatAsKinds, readAsLists } from "../../src/build/as_kinds.ts";

const FILES: Readonly<Record<string, string>> = {
  "openasn/vpn_provider.txt": "# VPN\n\nAS64496  # Example. src: page\n",
  "openasn/hosting_extra.txt": "AS64497 # Example\r\n",
  "openasn/cdn.txt": "AS64498\n",
  "openasn/enterprise_gateway.txt": "AS64499\n",
  "openasn/mobile_carrier.txt": "AS64500\n",
  "openasn/eyeball_confirm.txt": "AS64501\n",
  "openasn/corrections.yml":
    '# c\n\n64502:\n  category: business\n  reason: "a bank"\n\n64503:\n  category: none\n  date: 2026-01-01\n',
  "x4bnet/vpn-asn.txt": "AS64496 # repeated by openasn\nAS64504 # Example\n",
  "x4bnet/datacenter-asn.txt": "AS64505 # Example\nAS64497 # repeated by openasn\n",
  "bad-asn/bad-asn-list.csv": 'ASN,Entity\n64505,"Example, US"\n"64506","Example, Inc., US"\n',
  "oxl/asn-vpn.csv": "ASN,Organization\n64507,Example\n",
  "oxl/asn-hosting.csv": "ASN,Organization\n64508,Example\n",
  "oxl/asn-education.csv": "ASN,Organization\n64509,Example",
  "oxl/asn-isp.csv": "ASN,Organization\n64511,Example\n64510,Example\n",
};

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "limpid-as-kinds-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

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
    writeFileSync(path, FILES["oxl/asn-isp.csv"] ?? "");
  });
});

describe("formatAsKinds()", () => {
  test("writes the module with sorted numbers", () => {
    const text = formatAsKinds(folder);
    expect(text).toContain('    origin: "oxl_isp",\n    kind: "isp",\n    numbers: `\n64510 64511`,\n');
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
  });
});
