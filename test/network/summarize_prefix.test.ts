import { describe, expect, test } from "bun:test";
import { parsePrefix } from "#address";
import SMALL_TABLES from "../fixtures/network_tables.json";
import { openNetworks, openSmall, type SmallTables } from "./small_networks.ts";

const TABLES = SMALL_TABLES as object as SmallTables;

function summarize(text: string, tables: SmallTables = TABLES, missing?: readonly string[]) {
  const prefix = parsePrefix(text);
  if (prefix === undefined) throw new Error(`Cannot parse "${text}"`);
  return openNetworks(openSmall(tables, missing)).prefix(prefix);
}

describe("a /24", () => {
  test("judges every address, and counts what lists accuse", () => {
    const summary = summarize("81.2.69.0/24");
    expect(summary.cells).toHaveLength(256);
    expect(summary).toMatchObject({
      prefix: "81.2.69.0/24",
      isSampled: false,
      asked: 256,
      networks: [{ asn: 64500, name: "Example Broadband", share: 1 }],
      marks: { tor: 1, vpn: 4, proxy: 0, abuse: 0 },
      listed: 5,
      leased: 0,
      registered: [{ country: "LT", share: 1 }],
      above: ["81.2.0.0/16", "81.0.0.0/8"],
      beside: ["81.2.68.0/24", "81.2.70.0/24"],
    });
    expect(summary.cells.filter(({ listed }) => listed > 0)).toEqual([
      { prefix: "81.2.69.7", usageType: expect.any(String), listed: 1, marks: ["tor"] },
      ...[128, 129, 130, 131].map((last) => ({
        prefix: `81.2.69.${last}`,
        usageType: expect.any(String),
        listed: 1,
        marks: ["vpn" as const],
      })),
    ]);
    expect(summary.lists).toEqual([
      { id: "x4bnet_vpn", name: "X4BNet VPN", count: 4, marks: ["vpn"] },
      { id: "tor_exits", name: "Tor bulk exit list", count: 1, marks: ["tor"] },
    ]);
  });

  test("counts a list that accuses nobody, and does not mark its cells", () => {
    const summary = summarize("81.2.70.0/24");
    expect(summary.lists).toEqual([{ id: "aws", name: "AWS", count: 256, marks: [] }]);
    expect(summary).toMatchObject({ listed: 0, use: [{ usageType: "hosting", share: 1 }] });
  });

  test("ignores a list that is not ready, and says how many could be read", () => {
    const all = ["tor_exits", "x4bnet_vpn", "blocklist_de"];
    expect(summarize("81.2.69.0/24")).toMatchObject({ listsRead: 3, listsKnown: 3, listsDate: "2026-06-17" });
    expect(summarize("81.2.69.0/24", TABLES, all)).toMatchObject({
      listsRead: 0,
      listsKnown: 3,
      listed: 0,
      lists: [],
    });
  });

  test("says where a carrier announces space for another holder", () => {
    expect(summarize("62.115.7.0/24").leased).toBe(1);
  });
});

describe("a wider or narrower prefix", () => {
  test("is sampled in 64 parts, with lists counted in full", () => {
    const summary = summarize("81.2.0.0/16");
    expect(summary).toMatchObject({ isSampled: true, asked: 64, listed: 5, marks: { tor: 1, vpn: 4 } });
    expect(summary.cells.filter(({ listed }) => listed > 0)).toEqual([
      { prefix: "81.2.68.0/22", usageType: expect.any(String), listed: 5, marks: ["tor", "vpn"] },
    ]);
  });

  test("has one cell for each address, and none beside the ends of the space", () => {
    const summary = summarize("1.0.0.0/30");
    expect(summary.cells.map(({ prefix }) => prefix)).toEqual(["1.0.0.0", "1.0.0.1", "1.0.0.2", "1.0.0.3"]);
    expect(summary.beside).toEqual(["1.0.0.4/30"]);
  });

  test("of IPv6 has its /56 networks, and counts entries of lists", () => {
    const summary = summarize("2a02:8010:1::/48");
    expect(summary.cells).toHaveLength(256);
    expect(summary.cells[5]).toMatchObject({ prefix: "2a02:8010:1:500::/56", listed: 2, marks: ["vpn"] });
    expect(summary.cells.filter(({ listed }) => listed > 0)).toHaveLength(1);
    expect(summary).toMatchObject({ version: 6, isSampled: true, listed: 2, above: ["2a02:8010::/32"] });
    expect(summarize("2a02:8010:1:500::/64").cells).toHaveLength(1);
    expect(summarize("2a02:8000::/19").cells).toHaveLength(64);
  });
});

test("the block around a prefix has one AS; several or none announce no block", () => {
  const asn: SmallTables["asn"] = [
    ["81.2.0.0/17", 64500, "One"],
    ["81.2.128.0/18", 64500, "One"],
    ["81.3.0.0/17", 64501, "Two"],
    ["81.3.128.0/17", 64502, "Three"],
    ["2a02:8010::/32", 64500, "One"],
  ];
  const blocks = [
    "81.2.69.0/24",
    "81.2.0.0/17",
    "81.3.0.0/16",
    "81.4.0.0/24",
    "81.2.0.0/16",
    "2a02:8010:1::/48",
  ];
  expect(blocks.map((prefix) => summarize(prefix, { asn }).block)).toEqual([
    "81.2.0.0/17",
    "81.2.0.0/17",
    undefined,
    undefined,
    undefined,
    "2a02:8010::/32",
  ]);
});

describe("a declared place", () => {
  const declare = (country: string): SmallTables => ({
    ...TABLES,
    geofeed: [
      ["81.2.69.0/25", country, "Vilnius"],
      ["81.2.69.128/25", country],
    ],
  });

  test("is in the summary", () => {
    const { declared, isDisputed } = summarize("81.2.69.0/24", declare("LT"));
    expect(declared).toEqual([
      { country: "LT", city: "Vilnius", share: 0.5 },
      { country: "LT", share: 0.5 },
    ]);
    expect(isDisputed).toBe(false);
  });

  test("is disputed where neither registry nor location names its country", () => {
    expect(summarize("81.2.69.0/24", declare("TH")).isDisputed).toBe(true);
    expect(summarize("81.2.69.0/24", { geofeed: declare("TH").geofeed ?? [] }).isDisputed).toBe(false);
  });
});

test("needs no table", () => {
  const summary = summarize("81.2.69.0/24", {});
  expect(summary).toMatchObject({ networks: [], registered: [], located: [], declared: [] });
  expect(summary).toMatchObject({ tables: [] });
  expect(summary.date).toBeUndefined();
  expect(summary.block).toBeUndefined();
});
