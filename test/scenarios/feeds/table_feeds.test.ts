import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { parseAddress } from "#address";
import { readTable } from "../../../src/datasets/open_table.ts";
import { parseAsnRow } from "../../../src/datasets/table_values.ts";
import { compileTableFeed } from "../../../src/feeds/compile/compile_table_feed.ts";
import type { TableFeed } from "../../../src/feeds/feed.ts";
import { FeedError } from "../../../src/feeds/feed_content.ts";
import { FEEDS, TABLE_FEEDS } from "../../../src/feeds/feeds.ts";
import { iptoasn } from "../../../src/feeds/lists/iptoasn.ts";
import { rirDelegated } from "../../../src/feeds/lists/rir_delegated.ts";

const NOW = Date.UTC(2026, 8, 27, 12);

/** Returns the feed with smaller size limits for tests. */
function small(feed: TableFeed): TableFeed {
  return { ...feed, minRanges: { ipv4: 1, ipv6: 1 }, maxRanges: 20 };
}

function compile(feed: TableFeed, texts: readonly string[]) {
  const files = texts.map((text, index) => {
    const bytes = new TextEncoder().encode(text);
    return {
      index,
      url: feed.files[index]?.url ?? "",
      bytes: index === 0 && feed.id === "iptoasn" ? gzipSync(bytes) : bytes,
    };
  });
  return compileTableFeed(feed, files, NOW);
}

function lookUp<Value>(bytes: Uint8Array<ArrayBuffer>, id: string, decode: (text: string) => Value) {
  const table = readTable(bytes, "made.table", { id, decode });
  return (text: string) => {
    const address = parseAddress(text);
    return address === undefined ? undefined : table.find(address);
  };
}

const ORIGINS = [
  "0.0.0.0\t0.255.255.255\t0\tNone\tNot routed",
  "192.0.2.0\t192.0.2.127\t64496\tNL\tEXAMPLE-ONE - Example One B.V.",
  "192.0.2.128\t192.0.2.255\t64497\tDE\tEXAMPLE-TWO",
  "198.51.100.0\t198.51.100.255\t0\tNone\tNot routed",
  "203.0.113.0\t203.0.113.9\t64496\tNL\tEXAMPLE-ONE - Example One B.V.",
  "2001:db8::\t2001:db8:0:ffff:ffff:ffff:ffff:ffff\t64496\tNL\tEXAMPLE-ONE - Example One B.V.",
];

describe("iptoasn", () => {
  test("becomes a table of origins", async () => {
    const { bytes, ranges, date } = await compile(small(iptoasn), [ORIGINS.join("\n")]);
    expect(ranges).toEqual({ ipv4: 3, ipv6: 1 });
    expect(date).toBe("2026-09-27");
    const find = lookUp(bytes, "asn", parseAsnRow);
    expect(find("192.0.2.127")).toEqual({ asn: 64496, name: "EXAMPLE-ONE - Example One B.V." });
    expect(find("192.0.2.128")).toEqual({ asn: 64497, name: "EXAMPLE-TWO" });
    expect(find("198.51.100.1")).toBeUndefined();
    expect(find("203.0.113.9")?.asn).toBe(64496);
    expect(find("203.0.113.10")).toBeUndefined();
    expect(find("2001:db8:0:1::1")?.asn).toBe(64496);
    expect(find("2001:db8:1::1")).toBeUndefined();
  });

  test.each([
    ["words", Array.from({ length: 9 }, (_, i) => `row ${i}`)],
    [
      "an AS number beyond 32 bits",
      Array.from({ length: 9 }, () => "192.0.2.0\t192.0.2.1\t4294967296\tNL\tX"),
    ],
    ["ranges of two versions", Array.from({ length: 9 }, () => "192.0.2.0\t2001:db8::\t64496\tNL\tX")],
    ["too few ranges", ORIGINS.slice(0, 3)],
    ["too many ranges", Array.from({ length: 21 }, () => ORIGINS[1])],
  ])("refuses %s", async (_, lines) => {
    await expect(compile(small(iptoasn), [lines.join("\n")])).rejects.toThrow(FeedError);
  });

  test("ignores any amount of space that is not routed", async () => {
    const lines = [...ORIGINS, ...Array.from({ length: 50 }, () => ORIGINS[0])];
    expect(await compile(small(iptoasn), [lines.join("\n")])).toMatchObject({
      stripped: 0,
      ranges: { ipv4: 3, ipv6: 1 },
    });
  });

  test("leaves out a range that is too wide, and tolerates a few malformed rows", async () => {
    const lines = [
      ...ORIGINS,
      "0.0.0.0\t255.255.255.255\t64499\tNL\tALL",
      "192.0.2.9\t192.0.2.1\t64499\tNL\tBACK",
      "x",
    ];
    const { stripped, ranges } = await compile(small(iptoasn), [lines.join("\n")]);
    expect({ stripped, ranges }).toEqual({ stripped: 2, ranges: { ipv4: 3, ipv6: 1 } });
  });

  test("refuses a file that is not gzip, and a web page", async () => {
    const file = (bytes: Uint8Array) => [{ index: 0, url: "", bytes }];
    const text = new TextEncoder().encode(ORIGINS[1]);
    await expect(compileTableFeed(iptoasn, file(text), NOW)).rejects.toThrow("gzip");
    const page = gzipSync("<!doctype html><p>");
    await expect(compileTableFeed(iptoasn, file(page), NOW)).rejects.toThrow("web page");
  });
});

/** The statistics of a registry with a header and summaries that match its records. */
function statistics(registry: string, day: string, rows: readonly string[], counted = rows.length): string {
  return [
    "#",
    `2.3|${registry}|1790341220831|${counted}|19700101|${day}|+0000`,
    `${registry}|*|ipv4|*|${counted}|summary`,
    ...rows.map((row) => `${registry}|${row}`),
  ].join("\n");
}

const REGISTRIES = [
  statistics("arin", "20260926", [
    "US|ipv4|192.0.2.0|96|19910101|assigned|id1",
    "US|asn|64496|1|19910101|assigned|id1",
  ]),
  statistics("ripencc", "20260925", [
    "DE|ipv6|2001:db8::|33|20100622|allocated|id2",
    "EU|ipv4|192.0.2.128|64|20100622|allocated|id3",
  ]),
  statistics("apnic", "20260927", [
    "CN|ipv4|198.51.100.0|256|20110412|allocated|id4|e-stats",
    "|ipv4|203.0.113.0|128||available|",
  ]),
  statistics("lacnic", "20260926", [
    "BR|ipv4|203.0.113.128|128|20110412|allocated|id5",
    "ZZ|ipv4|203.0.113.0|16||reserved|",
  ]),
  statistics("afrinic", "20260926", ["ZA|ipv6|2001:db8:8000::|33|20110412|assigned|id6"]),
];

describe("rirDelegated", () => {
  test("becomes a table of registration countries, as old as the oldest file", async () => {
    const { bytes, ranges, date } = await compile(small(rirDelegated), REGISTRIES);
    expect(ranges).toEqual({ ipv4: 3, ipv6: 2 });
    expect(date).toBe("2026-09-25");
    const find = lookUp(bytes, "registration", String);
    expect(find("192.0.2.95")).toBe("US");
    expect(find("192.0.2.96")).toBeUndefined();
    expect(find("192.0.2.130")).toBeUndefined();
    expect(find("198.51.100.255")).toBe("CN");
    expect(find("203.0.113.1")).toBeUndefined();
    expect(find("203.0.113.128")).toBe("BR");
    expect(find("2001:db8:7fff::1")).toBe("DE");
    expect(find("2001:db8:8000::1")).toBe("ZA");
  });

  test("is made without a registry whose file is missing", async () => {
    const { bytes, ranges } = await compile(small(rirDelegated), REGISTRIES.slice(0, 4));
    expect(ranges).toEqual({ ipv4: 3, ipv6: 1 });
    const find = lookUp(bytes, "registration", String);
    expect(find("192.0.2.95")).toBe("US");
    expect(find("2001:db8:8000::1")).toBeUndefined();
  });

  test("names the registry whose file is refused", async () => {
    const texts = REGISTRIES.map((text, at) => (at === 2 ? "<html></html>" : text));
    await expect(compile(small(rirDelegated), texts)).rejects.toMatchObject({ file: 2 });
  });

  const replace = (index: number, text: string) => REGISTRIES.map((one, at) => (at === index ? text : one));
  test.each([
    ["a truncated file", replace(0, (REGISTRIES[0] ?? "").split("\n").slice(0, -1).join("\n"))],
    ["the file of another registry", replace(1, REGISTRIES[0] ?? "")],
    ["rows of another registry", replace(3, (REGISTRIES[3] ?? "").replace("lacnic|BR", "apnic|BR"))],
    ["a file without its header", replace(2, "apnic|CN|ipv4|198.51.100.0|256|20110412|allocated|id4")],
    ["an error", replace(4, '{"error":"busy"}')],
    [
      "more addresses than exist",
      replace(
        4,
        statistics(
          "afrinic",
          "20260926",
          Array.from({ length: 5 }, () => "ZA|ipv4|203.0.113.0|4294967296|20110412|assigned|x"),
        ),
      ),
    ],
  ])("refuses %s", async (_, texts) => {
    await expect(compile(small(rirDelegated), texts)).rejects.toThrow(FeedError);
  });
});

describe("TABLE_FEEDS", () => {
  test("have unique ids and tables, and use https", () => {
    const ids = [...FEEDS, ...TABLE_FEEDS].map((feed) => feed.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(TABLE_FEEDS.map((feed) => feed.table)).size).toBe(TABLE_FEEDS.length);
    for (const file of TABLE_FEEDS.flatMap((feed) => feed.files)) {
      expect(URL.parse(file.url)?.protocol).toBe("https:");
    }
  });

  test.each([iptoasn, rirDelegated].map((feed) => [feed.id, feed] as const))(
    "%s refuses or reads damaged files",
    async (id, feed) => {
      const whole = id === "iptoasn" ? [ORIGINS.join("\n")] : REGISTRIES;
      const Piece = fc.oneof(
        fc.constantFrom(
          "\t",
          "|",
          "\n",
          "-1",
          "1e9",
          "*",
          "\u200b",
          "::",
          "ipv4",
          "allocated",
          "99999999999",
        ),
        fc.string({ unit: "binary", maxLength: 6 }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.nat({ max: whole.length - 1 }),
          fc.nat(600),
          fc.nat(30),
          Piece,
          async (file, at, length, piece) => {
            const texts = whole.map((text, index) =>
              index === file ? text.slice(0, at) + piece + text.slice(at + length) : text,
            );
            try {
              await compile(small(feed), texts);
            } catch (error) {
              expect(error).toBeInstanceOf(FeedError);
            }
          },
        ),
        { numRuns: 400 },
      );
    },
  );
});
