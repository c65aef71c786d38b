import { describe, expect, test } from "bun:test";
import { parseAddress } from "#address";
import { instrumentLookup, showBudgets } from "#app";
import type { Lookup } from "#lookup";
import { createMetrics } from "#metrics";
import { parseExposition, readValue } from "../metrics/parse_exposition.ts";

const DAY_MS = 86_400_000;

const REFUSAL = { code: "verification_required", reason: "client_day", limit: 5 } as const;

function open(now = () => 3 * DAY_MS) {
  const metrics = createMetrics({
    version: "9.9.9",
    scoringVersion: 1,
    role: "full",
    routes: new Set(),
    shapes: [],
    sources: ["a", "b", "free"],
    feeds: [],
    tables: [],
    now,
    startedAt: 0,
  });
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

describe("instrumentLookup()", () => {
  test("counts every outcome of a lookup, except for callers that disconnected", async () => {
    const { metrics, read } = open();
    const ends: (() => ReturnType<Lookup>)[] = [
      () => Promise.resolve({ kind: "overloaded", retryAfterMs: 1, limits: [] }),
      () => Promise.resolve({ kind: "refused", refusal: REFUSAL, limits: [] }),
      () => Promise.reject(new Error("inside")),
      () => Promise.reject(new Error("left")),
    ];
    const lookup = instrumentLookup(() => ends.shift()?.() ?? Promise.reject(new Error("none")), metrics);
    const address = parseAddress("192.0.2.1");
    if (address === undefined) throw new Error("Cannot parse the address");
    const request = { address, refresh: false, client: { key: "192.0.2.9", exempt: false } };
    const stays = new AbortController().signal;
    await lookup(request, stays);
    await lookup(request, stays);
    await expect(lookup(request, stays)).rejects.toThrow("inside");
    await expect(lookup(request, AbortSignal.abort())).rejects.toThrow("left");
    const shown = await read();
    const count = (result: string) => readValue(shown, "limpid_answers_total", { result });
    expect([count("overloaded"), count("denied"), count("failed"), count("fresh")]).toEqual([1, 1, 1, 0]);
  });
});
