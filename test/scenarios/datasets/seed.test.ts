import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Datasets, openDatasets, prepareSeed } from "#datasets";
import { readAddress } from "#kit";

const project = join(import.meta.dir, "../../..");
const directory = join(project, "seed");
let datasets: Datasets;

beforeAll(async () => {
  await prepareSeed({ directory, packages: join(project, "node_modules") });
  datasets = openDatasets({ directory });
});

describe("the embedded tables", () => {
  test("exist at full size, with the dates of their packages", () => {
    expect(datasets.states()).toMatchObject([
      { id: "asn", ready: true, date: "2026-06-17" },
      { id: "registration", ready: true, date: "2026-06-17" },
      { id: "country", ready: true, date: "2026-06-01" },
    ]);
    const rows = datasets.states().map((state) => state.rows ?? 0);
    expect(rows.map((count) => count > 200_000)).toEqual([true, true, true]);
  });

  for (const [text, asn, name, registration] of [
    ["8.8.8.8", 15169, "Google", "US"],
    ["1.1.1.1", 13335, "Cloudflare", "AU"],
    ["9.9.9.9", 19281, "Quad9", "US"],
    ["2001:4860:4860::8888", 15169, "Google", "US"],
    ["2606:4700:4700::1111", 13335, "Cloudflare", "US"],
    ["193.0.6.139", 3333, "RIPE", "NL"],
  ] as const) {
    test(`know ${text}`, () => {
      expect(datasets.asn(readAddress(text))?.asn).toBe(asn);
      expect(datasets.asn(readAddress(text))?.name).toContain(name);
      expect(datasets.registration(readAddress(text))).toBe(registration);
      expect(datasets.country(readAddress(text))).toMatch(/^[A-Z]{2}$/);
    });
  }

  for (const text of [
    "0.0.0.0",
    "10.0.0.1",
    "127.0.0.1",
    "255.255.255.255",
    "::",
    "fe80::1",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
  ]) {
    test(`have no entry for ${text}`, () => {
      expect(datasets.asn(readAddress(text))).toBeUndefined();
      expect(datasets.registration(readAddress(text))).toBeUndefined();
      expect(datasets.country(readAddress(text))).toBeUndefined();
    });
  }

  test("have no entry for unallocated IPv6 space, where the country file has filler", () => {
    expect(datasets.country(readAddress("2e00::1"))).toBeUndefined();
    expect(datasets.country(readAddress("2a80::1"))).toBeUndefined();
  });
});

describe("seed.ts", () => {
  test("prints nothing and succeeds when everything is current", () => {
    const child = Bun.spawnSync([process.execPath, "src/build/seed.ts"], { cwd: project });
    expect([child.exitCode, child.stdout.toString(), child.stderr.toString()]).toEqual([0, "", ""]);
  });
});
