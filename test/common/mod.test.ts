import { expect, test } from "bun:test";
import { percentOf } from "#common";

test.each([
  [0.29, 29],
  [0.57, 57],
  [0.58, 58],
  [0, 0],
  [1, 100],
])("percentOf(%p) is %p", (share, percent) => {
  expect(percentOf(share)).toBe(percent);
});
