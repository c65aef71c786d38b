import { describe, expect, test } from "bun:test";
import { readTable, TABLE_DECODERS } from "#datasets";
import { readAddress } from "#kit";
import { compileTableFeed } from "../../../src/feeds/compile/compile_table_feed.ts";
import { geofeeds } from "../../../src/feeds/lists/geofeeds.ts";

const SMALL = { ...geofeeds, minRanges: { ipv4: 1, ipv6: 1 } };
const URL = "https://geolocatemuch.com/geofeeds/validated-all.csv";

async function compile(text: string, feed: typeof SMALL = SMALL) {
  const file = { index: 0, url: URL, bytes: new TextEncoder().encode(text) };
  const { bytes } = await compileTableFeed(feed, [file], Date.parse("2026-06-18T00:00:00Z"));
  return readTable(bytes, "geofeed.table", { id: "geofeed", decode: TABLE_DECODERS.geofeed });
}

describe("the list of geofeeds", () => {
  test("has the place of the narrowest prefix", async () => {
    const table = await compile(
      `# prefix,country,region,city,postal
81.2.64.0/18,lt,,,
81.2.69.0/24,TH,TH-10,"Bangkok, Old Town",10200
81.2.70.0/24,,,,
2a02:8010::/32,GB,GB-ENG,London,
2a02:8010:1::/48,XX,,,
`,
    );
    expect(table.find(readAddress("81.2.69.7"))).toEqual({
      country: "TH",
      region: "TH-10",
      city: "Bangkok, Old Town",
    });
    expect(table.find(readAddress("81.2.65.1"))).toEqual({ country: "LT" });
    expect(table.find(readAddress("81.2.70.1"))).toEqual({ country: "LT" });
    expect(table.find(readAddress("2a02:8010:1::1"))).toMatchObject({ country: "GB", city: "London" });
    expect(table.find(readAddress("81.3.0.1"))).toBeUndefined();
  });

  test("refuses what is no geofeed, too many malformed rows, and a list that is too short", async () => {
    await expect(compile("hello\n")).rejects.toThrow("a line is not a row of a geofeed");
    const wrong = Array.from({ length: 10 }, (_, at) => `nonsense${at},GB`).join("\n");
    await expect(compile(`81.2.69.0/24,GB\n2a02:8010::/32,GB\n${wrong}\n`)).rejects.toThrow("malformed");
    await expect(
      compile("81.2.69.0/24,GB\n", { ...SMALL, minRanges: geofeeds.minRanges as never }),
    ).rejects.toThrow("at least");
  });

  test("leaves out a prefix that nobody holds as a whole", async () => {
    const table = await compile("0.0.0.0/0,GB\n81.2.69.0/24,LT\n2a02:8010::/32,GB\n::/0,GB\n");
    expect(table.find(readAddress("8.8.8.8"))).toBeUndefined();
    expect(table.find(readAddress("81.2.69.1"))).toEqual({ country: "LT" });
  });
});
