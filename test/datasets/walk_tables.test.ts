import { expect, test } from "bun:test";
import fc from "fast-check";
import { addressFromWords } from "#address";
import { compileTable, RangeSet, readTable, ValuePool, walkTables } from "#datasets";
import { runs } from "#kit";

type Range = readonly [first: number, length: number, value: number];

const RANGES = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3 })),
  { maxLength: 8 },
);

/** A table of IPv4 or, in the last word or the third one of the same IPv6 block, of IPv6. */
function open(ranges: readonly Range[], version: 4 | 6, word: number) {
  const values = new ValuePool();
  const sets = { ipv4: new RangeSet(4), ipv6: new RangeSet(6) };
  for (const [first, length, value] of ranges)
    sets[version === 4 ? "ipv4" : "ipv6"].add(
      wordsOf(version, word, first),
      wordsOf(version, word, first + length - 1, true),
      values.intern(String(value)),
    );
  const bytes = compileTable({ id: "x", origin: "x", date: "2026-01-01", ...sets, values });
  return readTable(bytes, "x.table", { id: "x", decode: (text) => text });
}

function wordsOf(version: 4 | 6, word: number, value: number, isLast = false): number[] {
  if (version === 4) return [value];
  return [0x2a000000, 0, 0, 0].map((one, at) =>
    at === word ? value : at > word && isLast ? 0xffff_ffff : one,
  );
}

for (const [version, words] of [
  [4, [0, 0]],
  [6, [3, 3]],
  // One table divides /64 networks, the other their addresses.
  [6, [1, 3]],
] as const)
  test(`finds in every range of IPv${version} ${words} what a lookup finds`, () => {
    fc.assert(
      fc.property(
        RANGES,
        RANGES,
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        (a, b, from, size) => {
          const tables = [open(a, version, words[0]), open(b, version, words[1])];
          const first = wordsOf(version, 3, from);
          const last = wordsOf(version, 3, from + size);
          let next = from;
          walkTables(tables, first, last, (start, end, ids) => {
            expect(start.at(-1)).toBe(next);
            for (let at = next; at <= (end.at(-1) ?? 0); at++) {
              const address = addressFromWords(version, wordsOf(version, 3, at));
              expect(tables.map((table, index) => table.valueOf(ids[index] ?? 0))).toEqual(
                tables.map((table) => table.find(address)),
              );
            }
            next = (end.at(-1) ?? 0) + 1;
          });
          expect(next).toBe(from + size + 1);
        },
      ),
      { numRuns: runs(200) },
    );
  });
