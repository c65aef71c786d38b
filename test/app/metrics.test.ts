import { describe, expect, test } from "bun:test";
import { showBudgets } from "#app";
import { DAY_MS } from "#common";
import { parseExposition, readValue } from "../metrics/parse_exposition.ts";
import { createTestMetrics } from "../metrics/test_metrics.ts";

function open(now = () => 3 * DAY_MS) {
  const metrics = createTestMetrics({ sources: ["a", "b", "free"], now });
  return { metrics, read: async () => parseExposition(await metrics.write()) };
}

describe("showBudgets()", () => {
  const limits = new Map([
    ["a", 10],
    ["b", 20],
    ["free", undefined],
  ]);
  const settle = () => Promise.resolve([]);

  test("shows how much of each daily budget all processes have used", async () => {
    const { metrics, read } = open();
    const days: number[] = [];
    const book = {
      settle,
      read(day: number) {
        days.push(day);
        return Promise.resolve(new Map([["a", 7]]));
      },
    };
    showBudgets(metrics, { budgets: book, limits, now: () => 3 * DAY_MS });
    const shown = await read();
    expect(days).toEqual([3]);
    expect(readValue(shown, "limpid_source_budget_used", { source: "a" })).toBe(7);
    expect(readValue(shown, "limpid_source_budget_used", { source: "b" })).toBe(0);
    expect(readValue(shown, "limpid_source_budget_limit", { source: "b" })).toBe(20);
    expect(readValue(shown, "limpid_source_budget_limit", { source: "free" })).toBeUndefined();
  });

  test("shows nothing before the database answers or on a new day, and waits with a timeout", async () => {
    const { metrics, read } = open();
    let day = 3;
    let answer: () => Promise<ReadonlyMap<string, number>> = () => new Promise(() => {});
    const book = { settle, read: () => answer() };
    showBudgets(metrics, { budgets: book, limits, now: () => day * DAY_MS, timeoutMs: 1 });
    const used = async () => readValue(await read(), "limpid_source_budget_used", { source: "a" });
    expect(await used()).toBeUndefined();
    answer = () => Promise.resolve(new Map([["a", 1]]));
    expect(await used()).toBe(1);
    answer = () => Promise.reject(new Error("away"));
    expect(await used()).toBe(1);
    day = 4;
    expect(await used()).toBeUndefined();
  });
});

test("the ends of lookups are counted under their labels", async () => {
  const { metrics, read } = open();
  for (const end of ["cache", "overloaded", "refused", "failed", "not_in_mirror"] as const)
    metrics.answered(end);
  const shown = await read();
  const results = ["cache", "overloaded", "denied", "failed", "elsewhere", "fresh"];
  const counts = results.map((result) => readValue(shown, "limpid_answers_total", { result }));
  expect(counts).toEqual([1, 1, 1, 1, 1, 0]);
});
