import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Report } from "#report";
import { makeBill } from "../../src/render/make_bill.ts";

function risk(points: readonly number[], floor: number): Report["risk"] {
  const sum = points.reduce((total, each) => total + each, 0);
  const purity = Math.round(100 - Math.max(Math.min(Math.max(sum, 0), 100), floor));
  const factors = points.map((each, index) => ({
    id: `f${index}`,
    label: "",
    category: "",
    points: each,
    detail: "",
    floor,
  }));
  return { purity, level: "clean", label: "", verdict: "", confidence: "low", factors };
}

test("makeBill adds up to purity, whatever the factors", () => {
  const quarter = fc.integer({ min: -400, max: 400 }).map((points) => points / 4);
  fc.assert(
    fc.property(fc.array(quarter, { maxLength: 12 }), fc.integer({ min: 0, max: 100 }), (points, floor) => {
      const stated = risk(points, points.length === 0 ? 0 : floor);
      const bill = makeBill(stated);
      expect(bill.start + bill.lines.reduce((sum, line) => sum + line.effect, 0)).toBeCloseTo(
        stated.purity,
        6,
      );
      const rounding = bill.lines.find(({ kind }) => kind === "rounding")?.effect ?? 0;
      expect(Math.abs(rounding)).toBeLessThanOrEqual(0.5);
    }),
  );
});

test("makeBill names what bounds and floors do", () => {
  expect(makeBill(risk([-5], 0)).lines.map(({ kind, effect }) => [kind, effect])).toEqual([
    ["factor", 5],
    ["bounds", -5],
  ]);
  expect(makeBill(risk([60], 70)).lines.map(({ kind, effect }) => [kind, effect])).toEqual([
    ["factor", -60],
    ["floor", -10],
  ]);
  expect(makeBill(risk([], 0)).lines).toEqual([]);
});
