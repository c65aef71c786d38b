import { expect, test } from "bun:test";
import { createRecentMap, percentOf } from "#common";

test.each([
  [0.29, 29],
  [0.57, 57],
  [0.58, 58],
  [0, 0],
  [1, 100],
])("percentOf(%p) is %p", (share, percent) => {
  expect(percentOf(share)).toBe(percent);
});

test("createRecentMap() keeps what is used often and drops the rest", () => {
  const map = createRecentMap<string, number>(100);
  map.set("often", 1);
  map.set("once", 2);
  for (let n = 0; n < 250; n += 1) {
    map.set(`other ${n}`, n);
    if (n % 40 === 0) expect(map.get("often")).toBe(1);
  }
  expect(map.get("once")).toBeUndefined();
  const kept = Array.from({ length: 250 }, (_, n) => map.get(`other ${n}`)).filter((n) => n !== undefined);
  expect(kept.length).toBeLessThanOrEqual(100);
});
