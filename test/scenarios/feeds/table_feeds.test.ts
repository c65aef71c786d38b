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
import FILES from "../../fixtures/table_feeds.json";

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

const { origins: ORIGINS, refusedOrigins } = FILES;
const REGISTRIES = FILES.registries.map((lines) => lines.join("\n"));

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

  test.each(refusedOrigins as [string, string[]][])("refuses %s", async (_, lines) => {
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

  test.each(FILES.refusedRegistries as [string, number, string[]][])(
    "refuses %s",
    async (_, index, lines) => {
      const texts = REGISTRIES.with(index, lines.join("\n"));
      await expect(compile(small(rirDelegated), texts)).rejects.toThrow(FeedError);
    },
  );
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
      const Piece = fc.oneof(fc.constantFrom(...FILES.pieces), fc.string({ unit: "binary", maxLength: 6 }));
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
