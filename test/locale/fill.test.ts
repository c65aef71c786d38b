import { expect, test } from "bun:test";
import { fill } from "../../src/locale/fill.ts";

test("fill puts values in the places of their names, each once", () => {
  expect(fill("{b}, {a} and {b}", { a: 1, b: "{a}" })).toBe("{a}, 1 and {a}");
  expect(fill("no place", { a: 1 })).toBe("no place");
  expect(fill("{$&}{a}", { a: "$&" })).toBe("?$&");
});

test("fill chooses the first word for one, and else the second", () => {
  const days = "{n} {n|day|days}";
  expect([0, 1, 2, 11].map((n) => fill(days, { n }))).toEqual(["0 days", "1 day", "2 days", "11 days"]);
});
