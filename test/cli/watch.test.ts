import { describe, expect, test } from "bun:test";
import { parseAddress } from "#address";
import { startGateway } from "#kit";
import type { Lookup } from "#lookup";
import { createMetrics } from "#metrics";
import { createUpstreamClient } from "#upstream";
import { watchBudgets } from "../../src/cli/watch_budgets.ts";
import { watchLookup } from "../../src/cli/watch_lookup.ts";
import { parseExposition, readValue } from "../metrics/parse_exposition.ts";

const DAY_MS = 86_400_000;

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

describe("watchBudgets()", () => {
  const limits = new Map([
    ["a", 10],
    ["b", 20],
    ["free", undefined],
  ]);
  const settle = () => Promise.resolve([]);

  test("shows what all processes have used of each limited day", async () => {
    const { metrics, read } = open();
    const days: number[] = [];
    const book = {
      settle,
      read(day: number) {
        days.push(day);
        return Promise.resolve(new Map([["a", 7]]));
      },
    };
    watchBudgets(metrics, { book, limits, now: () => 3 * DAY_MS });
    const shown = await read();
    expect(days).toEqual([3]);
    expect(readValue(shown, "limpid_source_budget_used", { source: "a" })).toBe(7);
    expect(readValue(shown, "limpid_source_budget_used", { source: "b" })).toBe(0);
    expect(readValue(shown, "limpid_source_budget_limit", { source: "b" })).toBe(20);
    expect(readValue(shown, "limpid_source_budget_limit", { source: "free" })).toBeUndefined();
  });

  test("claims nothing before the database has spoken, nor on a new day, and waits for it only so long", async () => {
    const { metrics, read } = open();
    let day = 3;
    let answer: () => Promise<ReadonlyMap<string, number>> = () => new Promise(() => {});
    const book = { settle, read: () => answer() };
    watchBudgets(metrics, { book, limits, now: () => day * DAY_MS, patienceMs: 1 });
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

describe("watchLookup()", () => {
  test("counts every end of a lookup, but for those who have left", async () => {
    const { metrics, read } = open();
    const ends: (() => ReturnType<Lookup>)[] = [
      () => Promise.resolve({ kind: "overloaded", retryAfterMs: 1 }),
      () => Promise.resolve({ kind: "denied" }),
      () => Promise.reject(new Error("inside")),
      () => Promise.reject(new Error("left")),
    ];
    const lookup = watchLookup(() => ends.shift()?.() ?? Promise.reject(new Error("none")), metrics);
    const address = parseAddress("192.0.2.1");
    if (address === undefined) throw new Error("Cannot parse the address");
    const wish = { refresh: false, admit: () => Promise.resolve({ admitted: false } as const) };
    const stays = new AbortController().signal;
    await lookup(address, wish, stays);
    await lookup(address, wish, stays);
    await expect(lookup(address, wish, stays)).rejects.toThrow("inside");
    await expect(lookup(address, wish, AbortSignal.abort())).rejects.toThrow("left");
    const shown = await read();
    const count = (result: string) => readValue(shown, "limpid_answers_total", { result });
    expect([count("overloaded"), count("denied"), count("failed"), count("fresh")]).toEqual([1, 1, 1, 0]);
  });
});

describe("createUpstreamClient() onAsked", () => {
  test("tells how each question ended, and nothing of those that this side gave up", async () => {
    const gateway = await startGateway();
    const seen: string[] = [];
    const world = createUpstreamClient({
      hosts: ["h.test"],
      gateway: gateway.url,
      userAgent: "test",
      poolSize: 2,
      now: Date.now,
      onAsked: (transport, outcome) => seen.push(`${transport} ${outcome}`),
    });
    try {
      gateway.on("h.test", "/good", { json: {} });
      gateway.on("h.test", "/bad", { status: 503, text: "no" });
      gateway.on("h.test", "/full", { status: 429, text: "no" });
      gateway.on("h.test", "/slow", { json: {}, delayMs: 5000 });
      const session = world.openSession(new AbortController().signal);
      const ask = (path: string, signal = new AbortController().signal) =>
        session.http({ url: `https://h.test${path}`, as: "json" }, signal).catch(() => undefined);
      await ask("/good");
      await ask("/bad");
      await ask("/full");
      await ask("/slow", AbortSignal.timeout(20));
      const leaving = new AbortController();
      const left = ask("/slow", leaving.signal);
      leaving.abort();
      await left;
      session.close();
      expect(seen).toEqual(["http answered", "http status", "http quota", "http timeout"]);
    } finally {
      world.close();
      await gateway.close();
    }
  });
});
