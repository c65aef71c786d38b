import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ValuePool } from "../../../src/datasets/encode_table.ts";
import { RangeSet } from "../../../src/datasets/range_set.ts";
import { AS_CLASSES, LIST_MEANINGS, type ListMeaning } from "../../../src/datasets/table_values.ts";
import { type Collection, collectFeed, createCollection } from "../../../src/feeds/compile/collect_feed.ts";
import { judgeChange, judgeTable, measureRanges } from "../../../src/feeds/compile/extent.ts";
import {
  AS_CLASS_BOUNDS,
  EXTENT_BOUNDS,
  type Extent,
  type ListKind,
  SLASH_8,
  SLASH_32,
  TABLE_VALUE_BOUNDS,
} from "../../../src/feeds/compile/extent_bounds.ts";
import type { Feed } from "../../../src/feeds/feed.ts";
import { FeedError } from "../../../src/feeds/feed_content.ts";
import EXTENTS from "../../fixtures/list_extents.json";
import { runs } from "../../kit/runs.ts";

/** A list of one kind, read row by row from an array. */
function listOf(meaning: ListMeaning, extra: Partial<Feed> = {}): Feed {
  return {
    id: "list",
    name: "List",
    family: "list",
    licence: "ours",
    homepage: "https://lists.example/",
    files: [{ url: "https://lists.example/list", maxBytes: 65_536 }],
    meanings: LIST_MEANINGS.filter((one) => one === meaning),
    cadenceMs: 3_600_000,
    minRows: 1,
    maxRows: 1_000_000,
    parse: () => ({}),
    ...extra,
  };
}

function collect(
  meaning: ListMeaning,
  rows: Iterable<string>,
  extra?: Partial<Feed>,
  into = createCollection(),
) {
  return collectFeed(listOf(meaning, extra), into, (sink) => {
    for (const row of rows) sink.prefix(row, { meaning });
  });
}

function refusal(run: () => unknown): FeedError {
  try {
    run();
  } catch (error) {
    if (error instanceof FeedError) return error;
    throw error;
  }
  return expect.unreachable("it was accepted");
}

/** All of 0.0.0.0/0 in rows of `bits` bits. */
function* allIpv4(bits: number): Generator<string> {
  for (let row = 0; row < 2 ** bits; row++) {
    const first = row * 2 ** (32 - bits);
    yield `${first >>> 24}.${(first >>> 16) & 255}.${(first >>> 8) & 255}.0/${bits}`;
  }
}

/** A sixteenth of 2000::/3 in /16 rows, far more than any list may have. */
function* sixteenthOfIpv6(): Generator<string> {
  for (let top = 0x2000; top < 0x4000; top += 16) yield `${top.toString(16)}::/16`;
}

describe("the extent of a list", () => {
  test.each(LIST_MEANINGS)("a list of %s with all of IPv4 is refused, with rows of any length", (meaning) => {
    for (const bits of [8, 9, 12]) {
      const error = refusal(() => collect(meaning, allIpv4(bits)));
      expect(error.reason).toBe("implausible");
      expect(error.message).toStartWith(`too wide for ${meaning}: `);
    }
  });

  test("all of IPv4 in short rows is refused", () => {
    expect(refusal(() => collect("vpn", allIpv4(16))).reason).toBe("implausible");
  });

  test.each(LIST_MEANINGS)("a list of %s with a sixteenth of IPv6 is refused", (meaning) => {
    expect(refusal(() => collect(meaning, sixteenthOfIpv6())).reason).toBe("implausible");
  });

  test("rows that are stripped do not count", () => {
    const rows = Array.from({ length: 256 }, (_, i) => `${(i << 8).toString(16)}::/8`);
    expect(collect("vpn", [...rows, "::/0", "0.0.0.0/0", "2001:4860::1"])).toMatchObject({
      rows: 1,
      stripped: 258,
      extent: { ipv4: 0, ipv6: 1, networks: 0 },
    });
  });

  test("rows that accuse a well-known public service are ignored and counted as stripped", () => {
    const rows = ["8.8.8.8", "1.1.1.1/32", "2001:4860:4860::8888", "8.8.8.0/24", "9.9.9.8"];
    expect(collect("tor_exit", rows)).toMatchObject({ rows: 2, stripped: 3, malformed: 0 });
    expect(collect("hosting", rows)).toMatchObject({ rows: 5, stripped: 0 });
  });

  test("are counted once, also when rows repeat or overlap", () => {
    const rows = ["9.9.9.0/24", "9.9.9.0/24", "9.9.9.7", "9.9.8.0/23", "8.8.8.7", "8.8.8.9", "1.0.0.0/24"];
    expect(collect("abuse", rows).extent).toEqual({ ipv4: 512 + 2 + 256, ipv6: 0, networks: 0 });
    const rows6 = [
      "2600:9000::/32",
      "2600:9000:1::/48",
      "2600:9001::1",
      "2600:9001::2",
      "2600:9001:0:1::/64",
    ];
    expect(collect("abuse", rows6).extent).toEqual({ ipv4: 0, ipv6: 65_537, networks: 0 });
  });

  test("the rows of a refused list are removed, and other lists keep their rows", () => {
    const into = createCollection();
    collect("abuse", ["9.9.9.8"], {}, into);
    refusal(() => collect("vpn", allIpv4(8), {}, into));
    const size = ({ ipv4, ipv6, networks }: Collection) => [ipv4.size, ipv6.size, networks.size];
    expect(size(into)).toEqual([1, 0, 0]);
    expect(collect("vpn", ["9.9.9.8"], {}, into).extent.ipv4).toBe(1);
  });

  test("each meaning of a list has the bound of its own kind", () => {
    const feed = listOf("hosting", { meanings: ["hosting", "tor_exit"] });
    const read = (exits: number) => () =>
      collectFeed(feed, createCollection(), (sink) => {
        sink.prefix("12.0.0.0/8", { meaning: "hosting" });
        for (let i = 0; i < exits; i++)
          sink.prefix(`9.9.${i}.0/24`, { meaning: "tor_exit", label: `${i % 3}` });
      });
    expect(read(64)()).toMatchObject({ rows: 65, extent: { ipv4: SLASH_8 + 2 ** 14 } });
    expect(refusal(read(65)).message).toStartWith("too wide for tor_exit: ");
  });

  test("a list of one operator's servers has a lower bound than a list of all operators", () => {
    const rows = [...allIpv4(8)].slice(11, 41);
    expect(collect("hosting", rows).rows).toBe(30);
    expect(refusal(() => collect("hosting", rows, { authority: true })).reason).toBe("implausible");
  });
});

describe("lists of AS numbers", () => {
  const name = (count: number, info: object) => () =>
    collectFeed(listOf("severe", { networks: true }), createCollection(), (sink) => {
      for (let i = 0; i < count; i++) sink.network(131_072 + i, info);
      sink.network(131_072, info);
    });

  test.each(AS_CLASSES)("a list with too many AS numbers of the class %s is refused", (asClass) => {
    const { networks: most } = AS_CLASS_BOUNDS[asClass];
    expect(name(most, { asClass })().extent.networks).toBe(most);
    expect(refusal(name(most + 1, { asClass })).reason).toBe("implausible");
  });

  test("a list with too many severe AS numbers is refused, and names have no bound", () => {
    expect(name(4_000, { meaning: "severe" })().extent.networks).toBe(4_000);
    expect(refusal(name(4_001, { meaning: "severe" })).message).toBe(
      "too wide for severe: 4001 AS numbers, most 4000 AS numbers",
    );
    expect(name(100_000, { name: "Example" })().rows).toBe(100_001);
  });
});

describe("tables", () => {
  const table = (rows: readonly (readonly [top: number, value: string])[], version: 4 | 6 = 4) => {
    const sets = { ipv4: new RangeSet(4), ipv6: new RangeSet(6), values: new ValuePool() };
    for (const [top, value] of rows) {
      const id = sets.values.intern(value);
      if (version === 4) sets.ipv4.add([top * SLASH_8], [(top + 1) * SLASH_8 - 1], id);
      else
        sets.ipv6.add([top * 2 ** 16, 0, 0, 0], [(top + 1) * 2 ** 16 - 1, ...Array(3).fill(0xffff_ffff)], id);
    }
    return sets;
  };
  const tops = (count: number, value: (top: number) => string) =>
    Array.from({ length: count }, (_, i) => [i + 1, value(i)] as const);

  test("are refused when one AS or one country covers everything", () => {
    const asn = table(tops(220, () => "64496 Example"));
    expect(refusal(() => judgeTable("asn", asn)).message).toBe(
      "too much of AS64496: 100 % of IPv4, most 15 % of IPv4",
    );
    const places = table(tops(220, (i) => `SE\tRegion ${i}\tCity ${i}`));
    expect(refusal(() => judgeTable("city", places)).message).toStartWith("too much of SE: ");
    expect(refusal(() => judgeTable("registration", table(tops(220, () => "SE")))).reason).toBe(
      "implausible",
    );
    expect(
      refusal(() =>
        judgeTable(
          "asn",
          table(
            tops(9, () => "64496 Example"),
            6,
          ),
        ),
      ).reason,
    ).toBe("implausible");
  });

  test("may cover everything", () => {
    const asn = table(tops(220, (i) => `${64_496 + i} Example`));
    expect(judgeTable("asn", asn)).toEqual({ ipv4: 220 * SLASH_8, ipv6: 0, networks: 0 });
    const half = table(tops(220, (i) => (i % 2 === 0 ? "US" : "SE")));
    expect(judgeTable("registration", half).ipv4).toBe(220 * SLASH_8);
  });

  test("are refused when they lose half of their extent", () => {
    const all = { ipv4: 200 * SLASH_8, ipv6: 0, networks: 0 };
    const less = { ipv4: 90 * SLASH_8, ipv6: 0, networks: 0 };
    expect(refusal(() => judgeChange(all, less, { maxGrow: 3, maxShrink: 0.5 })).reason).toBe("implausible");
    expect(() => judgeChange(all, less, { maxGrow: 3 })).not.toThrow();
  });
});

describe("against the last good version", () => {
  const extent = (ipv4: number, ipv6 = 0, networks = 0): Extent => ({ ipv4, ipv6, networks });

  test("a list grows at most threefold, and a small list up to a /16 and a /29", () => {
    const judge = (before: Extent, now: Extent) => () => judgeChange(before, now, { maxGrow: 3 });
    expect(judge(extent(SLASH_8), extent(3 * SLASH_8))).not.toThrow();
    expect(refusal(judge(extent(SLASH_8), extent(3 * SLASH_8 + 1))).message).toBe(
      "its cover grew: 0.45 % of IPv4 to 1.4 % of IPv4",
    );
    expect(judge(extent(5), extent(3 * 2 ** 16))).not.toThrow();
    expect(refusal(judge(extent(5), extent(SLASH_8))).reason).toBe("implausible");
    expect(judge(extent(0, 1), extent(0, 8 * SLASH_32))).not.toThrow();
    expect(refusal(judge(extent(0, 1), extent(0, 25 * SLASH_32))).reason).toBe("implausible");
    expect(refusal(judge(extent(0, 0, 10), extent(0, 0, 500))).reason).toBe("implausible");
  });
});

describe("the bounds", () => {
  /** The widest real list of each kind in August 2026: IPv4 addresses and IPv6 /32s. */
  const REAL = EXTENTS as object as Readonly<Record<string, readonly [ipv4: number, slash32: number]>>;

  test.each(Object.entries(REAL))(
    "are at least twice the widest real list of %s",
    (kind, [ipv4, slash32]) => {
      const bound = EXTENT_BOUNDS[kind as ListKind];
      expect(bound.ipv4).toBeGreaterThan(2 * ipv4);
      expect(bound.ipv6).toBeGreaterThanOrEqual(2 * slash32 * SLASH_32);
    },
  );

  test("are far below the whole space", () => {
    for (const { ipv4, ipv6 } of Object.values(EXTENT_BOUNDS)) {
      expect(ipv4).toBeLessThanOrEqual(56 * SLASH_8);
      expect(ipv6).toBeLessThanOrEqual(2 ** 18 * SLASH_32);
    }
    for (const { ipv4 } of Object.values(TABLE_VALUE_BOUNDS)) expect(ipv4).toBeLessThan(220 * SLASH_8);
  });

  test("are kept by every accepted list", () => {
    const row = fc.record({
      top: fc.integer({ min: 0, max: 65_535 }),
      bits: fc.integer({ min: 8, max: 16 }),
    });
    const ranges = fc.array(row, { maxLength: 60 });
    fc.assert(
      fc.property(fc.constantFrom(...LIST_MEANINGS), ranges, fc.boolean(), (meaning, rows, authority) => {
        const into = createCollection();
        const texts = rows.map(({ top, bits }) => `${top >> 8}.${top & 255}.0.0/${bits}`);
        const texts6 = rows.map(
          ({ top, bits }) => `2${(top & 4095).toString(16).padStart(3, "0")}::/${bits + 8}`,
        );
        const extra = authority ? ({ authority: true } as const) : {};
        let isAccepted = true;
        try {
          collect(meaning, [...texts, ...texts6], extra, into);
        } catch (error) {
          if (!(error instanceof FeedError)) throw error;
          isAccepted = false;
        }
        // Counted without the code under test: every /16, one by one.
        const sixteenths = new Set<number>();
        for (let i = 0; i < into.ipv4.size; i++) {
          const first = (into.ipv4.firsts[0]?.[i] ?? 0) >>> 16;
          const last = (into.ipv4.lasts[0]?.[i] ?? 0) >>> 16;
          for (let at = first; at <= last; at++) sixteenths.add(at);
        }
        const covered = sixteenths.size * 2 ** 16;
        const bound = EXTENT_BOUNDS[authority && meaning === "hosting" ? "cloud" : meaning];
        expect(covered).toBeLessThanOrEqual(bound.ipv4);
        expect(measureRanges(into.ipv4, 0)).toBe(covered);
        expect(measureRanges(into.ipv6, 0)).toBeLessThanOrEqual(bound.ipv6);
        if (!isAccepted) expect(into.ipv4.size + into.ipv6.size).toBe(0);
      }),
      { numRuns: runs(1000) },
    );
  });
});
