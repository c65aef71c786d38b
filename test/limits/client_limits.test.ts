import { describe, expect, test } from "bun:test";
import { createClientLimits } from "#limits";

const CLIENTS = 1_000_000;

function keyOf(client: number): string {
  return client & 1
    ? `10.${client >>> 16}.${(client >>> 8) & 255}.${client & 255}`
    : `2001:db8:${(client >>> 16).toString(16)}:${(client & 0xffff).toString(16)}::/64`;
}

describe("createGate", () => {
  test("holds a million distinct clients in all three windows together in less than 64 MB, and forgets the idle", () => {
    const gate = createClientLimits({
      lookupsPerMinute: 30,
      newPerMinute: 10,
      refreshPerMinute: 5,
      maxKeys: CLIENTS,
      seed: 1,
    });
    const windows = [gate.lookups, gate.newSurveys, gate.refreshes];
    const bytes = () => windows.reduce((sum, window) => sum + window.bytes, 0);
    const figures: string[] = [];
    for (const times of [1, 2, 3]) {
      for (let client = 0; client < CLIENTS; client++) {
        const key = keyOf(client);
        gate.lookups.take(key, times);
        // The last ones are all that the two small windows remember, and they remember three admissions of each.
        if (times > 1 && client < CLIENTS - 32_768) continue;
        gate.newSurveys.take(key, times);
        gate.refreshes.take(key, times);
      }
      expect(gate.lookups.size).toBe(CLIENTS);
      expect(bytes()).toBeLessThan(64e6);
      figures.push(`${(bytes() / 1e6).toFixed(1)} MB with ${times}`);
    }
    console.log(
      `createClientLimits: three windows, a million clients: ${figures.join(", ")} admissions each`,
    );
    // Whoever asked longest ago is forgotten first by the two small windows, and both still limit who is left.
    expect([gate.newSurveys.size, gate.refreshes.size]).toEqual([32_768, 32_768]);
    const lately = keyOf(CLIENTS - 1);
    expect([gate.newSurveys.peek(lately, 3).remaining, gate.refreshes.peek(lately, 3).remaining]).toEqual([
      7, 2,
    ]);
    for (const window of windows) window.take("192.0.2.1", 200_000);
    expect(windows.map((window) => window.size)).toEqual([1, 1, 1]);
    expect(bytes()).toBeLessThan(1e6);
  });

  test.each([
    ["lookups", 30],
    ["newSurveys", 10],
    ["refreshes", 5],
  ] as const)(
    "%s: grants the %i-th of a minute and not the next, and again at the exact moment",
    (name, limit) => {
      const gate = createClientLimits({
        lookupsPerMinute: 30,
        newPerMinute: 10,
        refreshPerMinute: 5,
        maxKeys: 100,
        seed: 1,
      });
      const window = gate[name];
      const take = (now: number) => window.take("192.0.2.1", now);
      for (let i = 0; i < limit; i++) expect(take(1000 + i).admitted).toBe(true);
      expect(take(2000)).toEqual({ admitted: false, remaining: 0, retryAfterMs: 59_000, resetMs: 59_000 });
      expect(take(60_999).admitted).toBe(false);
      expect([take(61_000).admitted, take(61_000).admitted]).toEqual([true, false]);
      expect(window.take("192.0.2.2", 2000).admitted).toBe(true);
    },
  );

  test("remembers no more clients in any window than it is told to", () => {
    const gate = createClientLimits({
      lookupsPerMinute: 30,
      newPerMinute: 10,
      refreshPerMinute: 5,
      maxKeys: 3,
      seed: 1,
    });
    for (const window of [gate.lookups, gate.newSurveys, gate.refreshes]) {
      for (let client = 0; client < 10; client++) window.take(keyOf(client), 1);
      expect(window.size).toBe(3);
    }
  });
});
