import { describe, expect, test } from "bun:test";
import type { AsKind } from "#report";
import { readTsv } from "#tsv";
import { findAsClass } from "../../src/evidence/as_kinds.ts";
import table from "../../src/evidence/tables/as_classes.tsv" with { type: "text" };

describe("findAsClass()", () => {
  test("has the countries in which a carrier registers its own space, and no other class has them", () => {
    expect(findAsClass(174)).toEqual({ class: "carrier", operator: "Cogent Communications", home: ["US"] });
    expect(findAsClass(6461)?.home).toEqual(["US", "CA"]);
    expect(findAsClass(5511)).toBeUndefined();
    expect(findAsClass(16509)?.home).toBeUndefined();
  });

  test("returns undefined for numbers that are not in the table, such as reserved ones", () => {
    for (const asn of [0, 23456, 64496, 65535, 4_294_967_295, Number.NaN]) {
      expect(findAsClass(asn)).toBeUndefined();
    }
  });

  test("has every operator once in a class and every number once, in ascending order", () => {
    const rows = readTsv(table, ["kind", "operator", "service", "home", "numbers"]);
    expect(new Set(rows.map(({ kind, operator }) => `${kind} ${operator}`)).size).toBe(rows.length);
    const seen = new Set<number>();
    for (const { kind, home, numbers: texts } of rows) {
      expect(home === "").toBe(kind !== "carrier");
      expect(home).toMatch(/^(?:[A-Z]{2}(?: [A-Z]{2})*)?$/);
      const numbers = texts.split(" ").map(Number);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      for (const asn of numbers) {
        expect(Number.isInteger(asn) && asn > 0 && asn < 64_496 ? true : asn > 131_071).toBe(true);
        expect(seen.has(asn)).toBe(false);
        seen.add(asn);
        expect(findAsClass(asn)?.class).toBe(kind as AsKind);
      }
    }
    expect(seen.size).toBeGreaterThan(900);
  });
});
