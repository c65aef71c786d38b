import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { createClientLimits } from "#limits";

const CLIENTS = 1_000_000;

function keyOf(client: number): string {
  return client & 1
    ? `10.${client >>> 16}.${(client >>> 8) & 255}.${client & 255}`
    : `2001:db8:${(client >>> 16).toString(16)}:${(client & 0xffff).toString(16)}::/64`;
}

describe("createClientLimits()", () => {
  test("stays below 64 MB while a million clients ask, and forgets the idle", () => {
    const heap = () => {
      Bun.gc(true);
      const { heapSize, extraMemorySize } = heapStats();
      return heapSize + extraMemorySize;
    };
    const before = heap();
    const limits = createClientLimits({ lookupsPerMinute: 30, newPerMinute: 10, refreshPerMinute: 5 });
    const windows = [limits.lookups, limits.newSurveys, limits.refreshes];
    const figures: string[] = [];
    for (const times of [1, 2, 3]) {
      // After the first round, the clients that are kept ask again.
      for (let client = times === 1 ? 0 : CLIENTS - 200_000; client < CLIENTS; client++) {
        for (const window of windows) window.take(keyOf(client), times);
      }
      const bytes = heap() - before;
      expect(bytes).toBeLessThan(64e6);
      figures.push(`${(bytes / 1e6).toFixed(1)} MB`);
    }
    console.log(`createClientLimits: a million clients, once, twice, three times: ${figures.join(", ")}`);
    // The clients that asked last are kept, and every window still limits them.
    expect(windows.map((window) => window.size)).toEqual([131_072, 32_768, 32_768]);
    const lately = keyOf(CLIENTS - 1);
    for (let take = 0; take < 29; take++) limits.lookups.take(lately, 3);
    expect(windows.map((window) => window.peek(lately, 3).remaining)).toEqual([0, 9, 4]);
    for (const window of windows) window.take("192.0.2.1", 200_000);
    expect(windows.map((window) => window.size)).toEqual([1, 1, 1]);
    expect(heap() - before).toBeLessThan(8e6);
  });

  test.each([
    ["lookups", 30],
    ["newSurveys", 10],
    ["refreshes", 5],
  ] as const)(
    "%s: grants the %i-th of a minute and not the next, and again at the exact moment",
    (name, limit) => {
      const limits = createClientLimits({
        lookupsPerMinute: 30,
        newPerMinute: 10,
        refreshPerMinute: 5,
        maxClients: 100,
      });
      const window = limits[name];
      const take = (now: number) => window.take("192.0.2.1", now);
      for (let i = 0; i < limit; i++) expect(take(1000 + i).admitted).toBe(true);
      expect(take(2000)).toEqual({ admitted: false, remaining: 0, retryAfterMs: 59_000, resetMs: 59_000 });
      expect(take(60_999).admitted).toBe(false);
      expect([take(61_000).admitted, take(61_000).admitted]).toEqual([true, false]);
      expect(window.take("192.0.2.2", 2000).admitted).toBe(true);
    },
  );

  test("remembers no more clients in any window than it is told to", () => {
    const limits = createClientLimits({
      lookupsPerMinute: 30,
      newPerMinute: 10,
      refreshPerMinute: 5,
      maxClients: 3,
    });
    for (const window of [limits.lookups, limits.newSurveys, limits.refreshes]) {
      for (let client = 0; client < 10; client++) window.take(keyOf(client), 1);
      expect(window.size).toBe(3);
    }
  });

  test("gives each limit a window of its own, one minute long", () => {
    const limits = createClientLimits({
      lookupsPerMinute: 3,
      newPerMinute: 2,
      refreshPerMinute: 1,
      maxClients: 10,
    });
    const admissions = (window: (typeof limits)["lookups"], now: number) =>
      [1, 2, 3, 4].filter(() => window.take("192.0.2.1", now).admitted).length;
    expect(
      [limits.lookups, limits.newSurveys, limits.refreshes].map((window) => admissions(window, 0)),
    ).toEqual([3, 2, 1]);
    expect(
      [limits.lookups, limits.newSurveys, limits.refreshes].map((window) => admissions(window, 59_999)),
    ).toEqual([0, 0, 0]);
    expect(
      [limits.lookups, limits.newSurveys, limits.refreshes].map((window) => admissions(window, 60_000)),
    ).toEqual([3, 2, 1]);
  });
});
