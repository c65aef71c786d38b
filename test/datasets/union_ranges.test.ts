import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { RangeSet } from "#datasets";
import { unionRanges } from "../../src/datasets/union_ranges.ts";
import { toWords } from "./kit.ts";

interface Range {
  readonly first: bigint;
  readonly last: bigint;
  readonly value: number;
}

/** Makes the partition and returns the values of every row. */
function cut(version: 4 | 6, ranges: readonly Range[]) {
  const set = new RangeSet(version);
  for (const { first, last, value } of ranges)
    set.add(toWords(version, first), toWords(version, last), value);
  const sets = [""];
  const partition = unionRanges(set, (values) => {
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    const key = values.join();
    if (!sets.includes(key)) sets.push(key);
    return sets.indexOf(key);
  });
  return Array.from(partition.ids, (id, row) => ({
    start: partition.starts.reduce((sum, column) => (sum << 32n) + BigInt(column[row] ?? 0), 0n),
    values: sets[id],
  }));
}

function valuesAt(rows: ReturnType<typeof cut>, point: bigint): string | undefined {
  return rows.findLast((row) => row.start <= point)?.values;
}

const corner = (version: 4 | 6) => {
  const end = version === 4 ? 32n : 128n;
  const near = fc.bigInt({ min: 0n, max: 12n });
  return fc.oneof(
    near,
    near.map((n) => 2n ** end - 1n - n),
    near.map((n) => 2n ** (end - 1n) - 6n + n),
    ...(version === 6 ? [near.map((n) => (0x2001n << 112n) + 2n ** 64n - 6n + n)] : []),
  );
};
const ranges = (version: 4 | 6) =>
  fc.array(
    fc
      .tuple(corner(version), corner(version), fc.integer({ min: 1, max: 5 }))
      .map(([a, b, value]): Range => (a <= b ? { first: a, last: b, value } : { first: b, last: a, value })),
    { maxLength: 24 },
  );

describe("unionRanges", () => {
  test.each([4, 6] as const)("finds all ranges that cover an IPv%d address", (version) => {
    fc.assert(
      fc.property(ranges(version), fc.array(corner(version), { maxLength: 12 }), (given, drawn) => {
        const rows = cut(version, given);
        const points = [...drawn, ...given.flatMap(({ first, last }) => [first, last])];
        for (const point of points) {
          const expected = given.filter(({ first, last }) => first <= point && point <= last);
          const values = [...new Set(expected.map(({ value }) => value))].sort((a, b) => a - b);
          expect(valuesAt(rows, point)).toBe(values.join());
        }
        expect(rows[0]?.start).toBe(0n);
        for (let row = 1; row < rows.length; row++) {
          expect(rows[row]!.start > rows[row - 1]!.start).toBe(true);
          expect(rows[row]!.values).not.toBe(rows[row - 1]!.values);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("returns one gap for an empty set", () => {
    expect(cut(6, [])).toEqual([{ start: 0n, values: "" }]);
  });

  test("is fast when one range is repeated a hundred thousand times", () => {
    const set = new RangeSet(4);
    for (let i = 0; i < 100_000; i++) set.add([1000], [2000 + (i & 1)], 1 + (i & 3));
    const startedAt = performance.now();
    expect(unionRanges(set, (values) => values.length).starts[0]).toHaveLength(4);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
