import { describe, expect, test } from "bun:test";
import { parseAsn, summarizeText } from "#network";
import { renderSummaryText } from "#render";
import { buildAsIndex } from "../../src/network/as_index.ts";
import { openNetworks, openSmall, type SmallTables } from "./small_networks.ts";

/** Twenty hosting networks of one size; the first has more accused addresses than the others. */
const PEERS = Array.from(
  { length: 20 },
  (_, at) => [`45.${at}.0.0/24`, 65_001 + at, "Example Hosting Ltd"] as const,
);

const SHOWN = { language: "en", colour: false, url: "", now: 0 } as const;

const TABLES: SmallTables = {
  asn: [
    ...PEERS,
    ["81.2.0.0/17", 64500, "Example Broadband"],
    ["81.2.128.0/18", 64500, "Example Broadband"],
    ["2a02:8010::/32", 64500, "Example Broadband"],
    ["2a02:9000::/40", 64502, "Six Only"],
    ["3.0.0.0/16", 16509, "Amazon.com, Inc."],
    ["104.16.0.0/16", 13335, "Cloudflare, Inc."],
  ],
  registration: [["81.2.0.0/16", "GB"]],
  lists: [
    ["45.0.0.0/28", { feed: "x4bnet_vpn", meaning: "vpn" }],
    ["45.1.0.0/32", { feed: "x4bnet_vpn", meaning: "vpn" }],
    ["45.0.0.64/32", { feed: "blocklist_de", meaning: "abuse" }],
    ["3.0.0.0/16", { feed: "aws", meaning: "hosting" }],
  ],
};

/** The text of a summary without the breaks of its lines, and without the label that stands between them. */
async function write(asn: number, tables?: SmallTables): Promise<string> {
  const summary = await summarize(asn, tables);
  if (typeof summary !== "object") throw new Error("no summary");
  const lines = renderSummaryText(summary, SHOWN).replace(/^ {2}(Compared with|similar|networks) {2,}/gm, "");
  return lines.replace(/\s+/g, " ");
}

async function summarize(asn: number, tables: SmallTables = TABLES) {
  return openNetworks(openSmall(tables)).as(asn);
}

describe("an AS", () => {
  test("has its space, merged into prefixes, the largest first", async () => {
    expect(await summarize(64500)).toMatchObject({
      asn: 64500,
      name: "Example Broadband",
      addresses: 49_152,
      networks48: 65_536,
      isSampled: true,
      asked: 48,
      prefixCount: 2,
      prefixes: [
        { prefix: "81.2.0.0/17", listed: 0 },
        { prefix: "81.2.128.0/18", listed: 0 },
      ],
      blocks: ["81.2.0.0/17", "81.2.128.0/18", "2a02:8010::/32"],
      tables: [
        { id: "asn", date: "2026-06-17" },
        { id: "registration", date: "2026-06-17" },
      ],
      registered: [{ country: "GB", share: 1 }],
      marks: { tor: 0, vpn: 0, proxy: 0, abuse: 0 },
    });
  });

  test("ranks its accused addresses among networks of the same kind and size", async () => {
    const summary = await summarize(65_001);
    expect(summary).toMatchObject({
      kind: "hosting",
      marks: { vpn: 16, abuse: 1 },
      peers: { count: 19, below: { vpn: 1, abuse: 1, tor: 0 } },
    });
    expect(await summarize(65_003)).toMatchObject({ peers: { below: { vpn: 0 } } });
    expect(await summarize(16509)).not.toHaveProperty("peers");
  });

  test("names its share on lists beside that of similar networks", async () => {
    const similar = "(similar: same use, similar size)";
    const text = await write(65_001);
    expect(text).toContain("6.3% of its addresses are on VPN lists: more than in all 19 similar networks;");
    expect(text).toContain("0.4% of its addresses are on abuse lists: more than in all 19 similar networks");
    expect(text).toContain(similar);
    expect(await write(65_002)).toContain(
      "are on VPN lists: more than in 18 of 19 similar networks (similar",
    );
    const even = PEERS.map(([prefix]) => [prefix, { feed: "x4bnet_vpn", meaning: "vpn" }] as const);
    expect(await write(65_001, { ...TABLES, lists: even })).toContain("not more than in any of 19 similar");
    expect(await write(65_003)).not.toContain(similar);
  });

  test("names the lists that contain its IPv4 addresses, those that accuse nothing last", async () => {
    expect(await summarize(65_001)).toMatchObject({
      listed: 17,
      lists: [
        { id: "x4bnet_vpn", name: "X4BNet VPN", count: 16, marks: ["vpn"] },
        { id: "blocklist_de", name: "blocklist.de", count: 1, marks: ["abuse"] },
      ],
    });
    const large = [["45.0.0.64/26", { feed: "aws", meaning: "hosting" }] as const, ...(TABLES.lists ?? [])];
    expect(await summarize(65_001, { ...TABLES, lists: large.slice(0, 2) })).toMatchObject({
      lists: [{ id: "x4bnet_vpn" }, { id: "aws", count: 64, marks: [] }],
    });
    expect(await summarize(64_500)).toMatchObject({ lists: [] });
    expect(await summarize(64_502)).not.toHaveProperty("lists");
  });

  test("of a content delivery network has no place of use", async () => {
    const note = "serves one address from many places, so this is not where it is used";
    const country: SmallTables["country"] = [["0.0.0.0/1", "CA"]];
    expect(await write(13_335, { ...TABLES, country })).toContain(note);
    expect(await write(16_509, { ...TABLES, country })).not.toContain(note);
  });

  test("has siblings, an operator and the reasons for its kind where our tables know them", async () => {
    const summary = await summarize(16509);
    if (typeof summary !== "object") throw new Error("no summary");
    expect(summary.operator).toBe("Amazon Web Services");
    expect(summary.siblings).toContain(14618);
    expect(summary.kind).toBe("hosting");
    expect(summary.votes[0]).toEqual({ family: "as_class", kind: "hosting", agrees: true });
    const votes = [{ family: "bgp_tools", kind: "education", agrees: false } as const];
    expect(renderSummaryText({ ...summary, votes }, SHOWN)).toContain("(source: bgp.tools: Education)");
  });

  test("names at most a thousand blocks, the largest first", async () => {
    const single = Array.from(
      { length: 1001 },
      (_, at) => [`45.${at >> 7}.${(at & 127) * 2}.0/24`, 64500, "Example"] as const,
    );
    const summary = await summarize(64500, { asn: [...single, ["81.2.0.0/17", 64500, "Example"]] });
    if (typeof summary !== "object") throw new Error("no summary");
    expect(summary.prefixCount).toBe(1002);
    expect(summary.blocks).toHaveLength(1000);
    expect(summary.blocks.slice(0, 2)).toEqual(["81.2.0.0/17", "45.0.0.0/24"]);
    expect(await summarizeText("AS64500", openNetworks(openSmall(TABLES)))).toMatchObject({ blocks: [] });
  });

  test("of IPv6 alone is counted in /48 networks", async () => {
    expect(await summarize(64502)).toMatchObject({
      addresses: 0,
      networks48: 256,
      prefixes: [{ prefix: "2a02:9000::/40" }],
      blocks: ["2a02:9000::/40"],
    });
  });

  test("that nobody announces has no summary; without a table nothing is known", async () => {
    expect(await summarize(64999)).toBeUndefined();
    expect(await summarize(64500, {})).toBe("unavailable");
  });
});

test("the ranges of IPv6 are counted with pauses for other work", async () => {
  const countPauses = async (rows: number) => {
    const asn = Array.from(
      { length: rows },
      (_, at) =>
        [`2a02:${(at >> 8).toString(16)}:${(at & 255).toString(16)}::/48`, 64500 + (at & 1), "Six"] as const,
    );
    let pauses = 0;
    await buildAsIndex(openSmall({ asn }), async () => {
      pauses += 1;
    });
    return pauses;
  };
  expect((await countPauses(25_000)) - (await countPauses(2))).toBe(2);
});

test("parseAsn reads a number with or without AS", () => {
  expect(["64500", "AS64500", "as64500"].map(parseAsn)).toEqual([64500, 64500, 64500]);
  for (const text of ["", "0", "AS", "064500", "4294967296", "64.500", "AS 1", "-1"])
    expect(parseAsn(text)).toBeUndefined();
});
