import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Address } from "#address";
import { compileTable, DatasetError, encodeTable, RangeSet, readTable, ValuePool } from "#datasets";
import { toWords } from "./kit.ts";

interface Range {
  readonly first: bigint;
  readonly last: bigint;
  readonly value: string;
}

const END = { 4: 2n ** 32n - 1n, 6: 2n ** 128n - 1n } as const;

/**
 * Makes an address without the parser, because the parser folds `::ffff:0:0/96` and a table contains the plain numbers.
 */
function plainAddress(version: 4 | 6, value: bigint): Address {
  return { text: "", version, words: toWords(version, value) };
}

function compile(version: 4 | 6, ranges: readonly Range[]) {
  const values = new ValuePool();
  const set = new RangeSet(version);
  for (const { first, last, value } of ranges) {
    set.add(toWords(version, first), toWords(version, last), values.intern(value));
  }
  const family = version === 4 ? { ipv4: set } : { ipv6: set };
  const bytes = compileTable({ id: "test", origin: "test@1", date: "2026-06-17", values, ...family });
  return readTable(bytes, "test.table", { id: "test", decode: (text) => text });
}

/** A linear search by the documented rule: the narrowest range decides, and of equally wide ones the last one. */
function search(ranges: readonly Range[], value: bigint): string | undefined {
  let best: Range | undefined;
  for (const range of ranges) {
    if (value < range.first || value > range.last) continue;
    if (best === undefined || range.last - range.first <= best.last - best.first) best = range;
  }
  return best?.value;
}

/**
 * Numbers close to each other: the ends of the space, the borders of words and of index buckets, and a few in between.
 */
function crowdedNumber(version: 4 | 6): fc.Arbitrary<bigint> {
  const end = END[version];
  const anchors =
    version === 4
      ? [0n, 0x0100_0000n, 0x7fff_ffffn, 0x8000_0000n, 0xc000_0200n, 0xc000_ffffn, end]
      : [
          0n,
          0x20010db8n << 96n,
          (0x20010db8n << 96n) + (1n << 64n),
          0x2a0fn << 112n,
          1n << 127n,
          0xffffn << 32n,
          end,
        ];
  const near = fc
    .tuple(fc.constantFrom(...anchors), fc.integer({ min: -6, max: 6 }))
    .map(([anchor, step]) => {
      const value = anchor + BigInt(step);
      return value < 0n ? 0n : value > end ? end : value;
    });
  return fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: end }) });
}

function crowdedRanges(version: 4 | 6): fc.Arbitrary<Range[]> {
  const number = crowdedNumber(version);
  const range = fc.tuple(number, number, fc.constantFrom("a", "b", "c")).map(([x, y, value]): Range => {
    const [first, last] = x < y ? [x, y] : [y, x];
    return { first, last, value };
  });
  return fc.array(range, { maxLength: 24 });
}

describe("compileTable and find", () => {
  for (const version of [4, 6] as const) {
    test(`give the result of a linear search over overlapping IPv${version} ranges, at and beside every border`, () => {
      fc.assert(
        fc.property(
          crowdedRanges(version),
          fc.array(crowdedNumber(version), { maxLength: 8 }),
          (ranges, others) => {
            const table = compile(version, ranges);
            const borders = ranges.flatMap(({ first, last }) => [first - 1n, first, last, last + 1n]);
            const asked = [...borders, ...others, 0n, END[version]].filter(
              (n) => n >= 0n && n <= END[version],
            );
            for (const number of asked) {
              expect(table.find(plainAddress(version, number))).toBe(search(ranges, number));
            }
          },
        ),
        { numRuns: 300 },
      );
    });

    test(`give the result of a linear search over many disjoint IPv${version} ranges in order`, () => {
      const step = (END[version] + 1n) / 4096n;
      const ranges = Array.from({ length: 2000 }, (_, i): Range => {
        const first = BigInt(i * 2) * step + BigInt(i % 3);
        return { first, last: first + BigInt(i % 5), value: `v${i % 7}` };
      });
      const table = compile(version, ranges);
      for (const { first, last } of ranges) {
        for (const number of [first, last, last + 1n]) {
          expect(table.find(plainAddress(version, number))).toBe(search(ranges, number));
        }
      }
    });

    test(`cover all of IPv${version} with one range, and none of it with no range`, () => {
      const whole = compile(version, [{ first: 0n, last: END[version], value: "all" }]);
      const nothing = compile(version, []);
      for (const number of [0n, 1n, END[version] / 2n, END[version]]) {
        expect(whole.find(plainAddress(version, number))).toBe("all");
        expect(nothing.find(plainAddress(version, number))).toBeUndefined();
      }
    });
  }

  test("join neighbours with the same value and keep gaps, so `rows` counts ranges with a value", () => {
    const table = compile(4, [
      { first: 0xc0000200n, last: 0xc00002ffn, value: "a" },
      { first: 0xc0000300n, last: 0xc00003ffn, value: "a" },
      { first: 0xc6336400n, last: 0xc63364ffn, value: "b" },
    ]);
    expect(table.facts.rows).toBe(2);
    expect(table.find(plainAddress(4, 0xc0000400n))).toBeUndefined();
  });

  test("store only the upper 64 bits of IPv6 when no range needs more", () => {
    const wide = compile(6, [{ first: 0x20010db8n << 96n, last: (0x20010db9n << 96n) - 1n, value: "a" }]);
    const exact = compile(6, [{ first: 0x20010db8n << 96n, last: 0x20010db8n << 96n, value: "a" }]);
    expect(exact.facts.bytes - wide.facts.bytes).toBe(3 * 2 * 4);
  });

  test("work with more values than 16 bits can number", () => {
    const ranges = Array.from({ length: 70_000 }, (_, i): Range => {
      return { first: BigInt(i) * 16n, last: BigInt(i) * 16n + 7n, value: `value ${i}` };
    });
    const table = compile(4, ranges);
    expect(table.find(plainAddress(4, 69_999n * 16n))).toBe("value 69999");
    expect(table.find(plainAddress(4, 65_536n * 16n + 8n))).toBeUndefined();
  });

  test("return one shared object for one value", () => {
    const values = new ValuePool();
    const ipv4 = new RangeSet(4);
    ipv4.add([0], [9], values.intern("x"));
    ipv4.add([20], [29], values.intern("x"));
    const bytes = compileTable({ id: "test", origin: "", date: "2026-06-17", ipv4, values });
    const table = readTable(bytes, "test.table", { id: "test", decode: (text) => ({ text }) });
    expect(table.find(plainAddress(4, 5n))).toBe(table.find(plainAddress(4, 25n))!);
  });

  test("throw for an address of a family that the table does not cover", () => {
    const table = compile(4, [{ first: 0n, last: 9n, value: "a" }]);
    expect(() => table.find(plainAddress(6, 1n))).toThrow(DatasetError);
    expect(() => table.find(plainAddress(6, 1n))).toThrow('"test.table"');
  });
});

describe("RangeSet", () => {
  test("refuses a range that ends before it begins and a range without a value", () => {
    const set = new RangeSet(6);
    expect(() => set.add([0, 0, 0, 2], [0, 0, 0, 1], 1)).toThrow(RangeError);
    expect(() => set.add([0, 0, 0, 1], [0, 0, 0, 2], 0)).toThrow(RangeError);
  });
});

describe("encodeTable", () => {
  test("refuses an id that has no value", () => {
    const ipv4 = { starts: [new Uint32Array([0])], ids: new Uint32Array([1]) };
    expect(() =>
      encodeTable({ id: "test", origin: "", date: "2026-06-17", ipv4, values: new ValuePool() }),
    ).toThrow(RangeError);
  });

  test("refuses texts that do not fit its header", () => {
    const ipv4 = { starts: [new Uint32Array([0])], ids: new Uint32Array([0]) };
    const encode = (id: string) =>
      encodeTable({ id, origin: "", date: "2026-06-17", ipv4, values: new ValuePool() });
    expect(() => encode("x".repeat(33))).toThrow(RangeError);
    expect(() => encode("naïve")).toThrow(RangeError);
  });
});
