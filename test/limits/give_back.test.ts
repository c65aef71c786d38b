import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createRateWindow } from "#limits";

const options = { limit: 3, windowMs: 60_000, maxKeys: 8, seed: 1 };

describe("RateWindow.refund()", () => {
  test("undoes exactly the take it names", () => {
    const window = createRateWindow(options);
    window.take("a", 1000);
    window.take("a", 2000);
    window.take("a", 3000);
    window.refund("a", 2000);
    expect(window.take("a", 4000)).toEqual({
      admitted: true,
      remaining: 0,
      retryAfterMs: 57_000,
      resetMs: 57_000,
    });
    expect(window.take("a", 60_999).admitted).toBe(false);
    expect(window.take("a", 61_000).admitted).toBe(true);
    expect(window.take("a", 62_999).admitted).toBe(false);
    expect(window.take("a", 63_000).admitted).toBe(true);
  });

  test("forgets a client that has nothing left, and knows nothing of strangers", () => {
    const window = createRateWindow(options);
    window.take("a", 1000);
    window.refund("b", 1000);
    window.refund("a", 1000);
    window.refund("a", 1000);
    expect(window.size).toBe(0);
    expect(window.peek("a", 1000)).toEqual({ admitted: true, remaining: 3, retryAfterMs: 0, resetMs: 0 });
  });

  test("takes nothing from others when the take it names has left the window", () => {
    const window = createRateWindow(options);
    for (const now of [0, 10, 20, 60_000]) expect(window.take("a", now).admitted).toBe(true);
    window.refund("a", 0);
    window.refund("a", 15);
    expect(window.peek("a", 60_001).remaining).toBe(0);
  });

  test("answers like a plain list of moments", () => {
    const step = fc.record({
      key: fc.constantFrom("a", "b"),
      wait: fc.integer({ min: 0, max: 40_000 }),
      back: fc.nat(4),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const window = createRateWindow(options);
        const lists: Record<string, number[]> = { a: [], b: [] };
        let now = 1_000_000;
        for (const { key, wait, back } of steps) {
          now += wait;
          const held = (lists[key] ?? []).filter((at) => now - at < 60_000);
          const admitted = held.length < 3;
          expect(window.take(key, now).admitted).toBe(admitted);
          if (admitted) held.push(now);
          const returned = held.at(-1 - back);
          if (returned !== undefined) {
            window.refund(key, returned);
            held.splice(held.indexOf(returned), 1);
          }
          lists[key] = held;
          expect(window.peek(key, now).remaining).toBe(3 - held.length);
        }
      }),
    );
  });
});
