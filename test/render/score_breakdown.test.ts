import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Report } from "#report";
import { breakDownScore } from "../../src/render/score_breakdown.ts";

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

test("breakDownScore adds up to purity, whatever the factors", () => {
  const quarter = fc.integer({ min: -400, max: 400 }).map((points) => points / 4);
  fc.assert(
    fc.property(fc.array(quarter, { maxLength: 12 }), fc.integer({ min: 0, max: 100 }), (points, floor) => {
      const stated = risk(points, points.length === 0 ? 0 : floor);
      const breakdown = breakDownScore(stated);
      expect(breakdown.start + breakdown.lines.reduce((sum, line) => sum + line.effect, 0)).toBeCloseTo(
        stated.purity,
        6,
      );
      const rounding = breakdown.lines.find(({ kind }) => kind === "rounding")?.effect ?? 0;
      expect(Math.abs(rounding)).toBeLessThanOrEqual(0.5);
    }),
  );
});

test("breakDownScore lists the effects of bounds and floors", () => {
  expect(breakDownScore(risk([-5], 0)).lines.map(({ kind, effect }) => [kind, effect])).toEqual([
    ["factor", 5],
    ["bounds", -5],
  ]);
  expect(breakDownScore(risk([60], 70)).lines.map(({ kind, effect }) => [kind, effect])).toEqual([
    ["factor", -60],
    ["floor", -10],
  ]);
  expect(breakDownScore(risk([], 0)).lines).toEqual([]);
});
