import { describe, expect, test } from "bun:test";
import { showFeedback } from "#locale";

describe("showFeedback()", () => {
  test("is nothing below three ratings of any use", () => {
    expect(showFeedback([])).toBeUndefined();
    expect(showFeedback([{ scenario: "ai", count: 2, sum: 10 }])).toBeUndefined();
  });

  test("gives count and average, rounded to two decimals, of each use with three", () => {
    expect(
      showFeedback([
        { scenario: "email", count: 7, sum: 20 },
        { scenario: "ai", count: 3, sum: 14 },
        { scenario: "gaming", count: 2, sum: 2 },
      ]),
    ).toEqual({ ai: { count: 3, average: 4.67 }, email: { count: 7, average: 2.86 } });
  });

  test("passes over uses that a report does not know", () => {
    const votes = ["__proto__", "constructor", "retired"].map((scenario) => ({ scenario, count: 9, sum: 9 }));
    expect(showFeedback(votes)).toBeUndefined();
  });
});
