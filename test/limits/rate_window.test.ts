import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createRateWindow, type RateState } from "#limits";
import { runs } from "../kit/runs.ts";

/** A simple model of a window: it keeps every admission of every key for ever. */
function createModel(limit: number, windowMs: number) {
  const admissions = new Map<string, number[]>();
  function answer(key: string, now: number, spend: boolean): RateState {
    const all = admissions.get(key) ?? [];
    admissions.set(key, all);
    // A late call may see more later admissions than the limit; the limit-th last one decides.
    const live = () => (limit === 0 ? [] : all.slice(-limit).filter((at) => now - at < windowMs));
    const admitted = live().length < limit;
    if (spend && admitted) all.push(Math.max(now, all.at(-1) ?? now));
    const spent = live();
    const resetMs = spent.length === 0 ? 0 : (spent[0] ?? 0) + windowMs - now;
    return {
      admitted,
      remaining: limit - spent.length,
      retryAfterMs: spent.length === limit ? resetMs : 0,
      resetMs,
    };
  }
  return {
    take: (key: string, now: number) => answer(key, now, true),
    peek: (key: string, now: number) => answer(key, now, false),
  };
}

function largestSpan(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let start = 0;
  let largest = 0;
  for (let end = 0; end < sorted.length; end++) {
    while ((sorted[end] ?? 0) - (sorted[start] ?? 0) >= windowMs) start++;
    largest = Math.max(largest, end - start + 1);
  }
  return largest;
}

const WINDOW_MS = 1000;
const step = fc.record({
  key: fc.constantFrom("192.0.2.1", "192.0.2.2", "2001:db8::/64", "unknown"),
  spend: fc.boolean(),
  // Mostly short steps, sometimes exactly to a border, sometimes longer than the window keeps any time.
  advanceMs: fc.oneof(
    { weight: 8, arbitrary: fc.nat(200) },
    { weight: 2, arbitrary: fc.constantFrom(0, 1, 999, 1000, 1001) },
    { weight: 1, arbitrary: fc.constantFrom(1999, 2000, 2001, 5000, 10_000_000, 2 ** 32, 2 ** 31 + 7) },
  ),
  /** How long before the latest time this call read the clock. */
  lateMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(WINDOW_MS) }),
});
const start = fc.oneof(
  fc.constant(0),
  fc.constant(2 ** 32 - 500),
  fc.constant(2 ** 31 - 500),
  fc.nat(2 ** 31 - 1).map((n) => n * 1000),
);

describe("createRateWindow()", () => {
  test("answers like a model that keeps everything, for any order of calls", () => {
    let refused = 0;
    const numRuns = runs(5000);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        start,
        fc.array(step, { maxLength: 60 }),
        (limit, startMs, steps) => {
          const window = createRateWindow({ limit, windowMs: WINDOW_MS, maxKeys: 100 });
          const model = createModel(limit, WINDOW_MS);
          const admitted = new Map<string, number[]>();
          let latest = startMs;
          for (const { key, spend, advanceMs, lateMs } of steps) {
            if (lateMs === 0) latest += advanceMs;
            const now = latest - lateMs;
            const found = spend ? window.take(key, now) : window.peek(key, now);
            if (limit === 0)
              expect(found).toEqual({
                admitted: false,
                remaining: 0,
                retryAfterMs: WINDOW_MS,
                resetMs: WINDOW_MS,
              });
            else expect(found).toEqual(spend ? model.take(key, now) : model.peek(key, now));
            if (!found.admitted) refused++;
            if (spend && found.admitted) admitted.set(key, [...(admitted.get(key) ?? []), now]);
          }
          for (const times of admitted.values())
            expect(largestSpan(times, WINDOW_MS)).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns },
    );
    expect(refused).toBeGreaterThan(numRuns / 5);
  });

  test("keeps the limit for fractional times too", () => {
    const gaps = fc.array(fc.nat(12), { minLength: 20, maxLength: 80 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), gaps, (limit, quarters) => {
        const window = createRateWindow({ limit, windowMs: 5, maxKeys: 10 });
        const times: number[] = [];
        let now = 1e6;
        for (const gap of quarters) {
          now += gap / 4;
          if (window.take("192.0.2.1", now).admitted) times.push(now);
        }
        expect(largestSpan(times, 5)).toBeLessThanOrEqual(limit);
      }),
      { numRuns: runs(2000) },
    );
  });

  test("keeps a high limit in every span, and admits at most a sixtieth of the window later than it must", () => {
    const windowMs = 6000;
    const late = windowMs / 60;
    const burst = fc.record({ calls: fc.nat(80), gapMs: fc.oneof(fc.nat(150), fc.nat(3000)) });
    let refused = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 61, max: 200 }),
        fc.array(burst, { minLength: 10, maxLength: 60 }),
        (limit, bursts) => {
          const window = createRateWindow({ limit, windowMs, maxKeys: 10 });
          const admitted: number[] = [];
          let now = 1e9;
          for (const { calls, gapMs } of bursts) {
            now += gapMs;
            for (let call = 0; call < calls; call += 1) {
              const { admitted: isAdmitted, remaining, retryAfterMs } = window.take("a", now);
              if (isAdmitted) admitted.push(now);
              else {
                refused += 1;
                expect(admitted.filter((at) => now - at < windowMs + late).length).toBeGreaterThanOrEqual(
                  limit,
                );
                expect(window.peek("a", now + retryAfterMs).admitted).toBe(true);
              }
              expect(remaining).toBe(window.peek("a", now).remaining);
            }
          }
          expect(largestSpan(admitted, windowMs)).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: runs(300) },
    );
    expect(refused).toBeGreaterThan(0);
  });

  test("keeps the limit and admits again later when the clock is set back or forward", () => {
    const window = createRateWindow({ limit: 1, windowMs: 1000, maxKeys: 10 });
    const day = 86_400_000;
    expect(window.take("a", 10 * day).admitted).toBe(true);
    expect(window.take("a", day).admitted).toBe(false);
    expect(window.take("a", day + 999).admitted).toBe(false);
    expect(window.take("a", day + 1000).admitted).toBe(true);
    expect(window.take("a", 20 * day).admitted).toBe(true);
    expect(window.take("a", 20 * day + 1).admitted).toBe(false);
  });

  test("removes keys that have been idle for two windows", () => {
    const window = createRateWindow({ limit: 3, windowMs: 1000, maxKeys: 100_000 });
    for (let i = 0; i < 50_000; i++) window.take(`k${i}`, i / 100);
    expect(window.size).toBe(50_000);
    window.peek("x", 2300);
    expect(window.size).toBeGreaterThan(19_000);
    expect(window.size).toBeLessThan(21_000);
    for (let i = 0; i < 30_000; i++) window.take(`l${i}`, 2300);
    window.take("x", 100_000);
    expect(window.size).toBe(1);
  });

  test("removes the key that is idle for the longest time when it is full; refused takes do not count as use", () => {
    const window = createRateWindow({ limit: 1, windowMs: 60_000, maxKeys: 3 });
    window.take("a", 0);
    window.take("b", 1);
    window.take("c", 2);
    expect(window.take("a", 3).admitted).toBe(false);
    expect(window.take("d", 4).admitted).toBe(true);
    expect(window.size).toBe(3);
    expect(window.peek("a", 5).admitted).toBe(true);
    for (const key of ["b", "c", "d"]) expect(window.peek(key, 5).admitted).toBe(false);
  });

  test("stays within its bounds when many clients use up their limits", () => {
    const window = createRateWindow({ limit: 30, windowMs: 60_000, maxKeys: 2000 });
    for (let client = 0; client < 10_000; client++) {
      const key = `2001:db8:0:${client.toString(16)}::/64`;
      for (let i = 0; i < 31; i++) expect(window.take(key, client).admitted).toBe(i < 30);
    }
    expect(window.size).toBe(2000);
  });

  test("gives a client more than its limit only after `maxKeys` other clients were admitted in its window", () => {
    const window = createRateWindow({ limit: 2, windowMs: 60_000, maxKeys: 100 });
    const flood = (others: number) => {
      window.take("a", 0);
      expect(window.take("a", 0).admitted).toBe(true);
      for (let other = 0; other < others; other++) window.take(`${others} ${other}`, 1);
      return window.take("a", 2).admitted;
    };
    expect(flood(99)).toBe(false);
    for (let other = 0; other < 100; other++) window.take(`out ${other}`, 2);
    expect(flood(100)).toBe(true);
  });
});

const OPTIONS = { limit: 3, windowMs: 60_000, maxKeys: 8 };

describe("RateWindow.refund()", () => {
  test("removes a client without admissions, and ignores unknown clients", () => {
    const window = createRateWindow(OPTIONS);
    window.take("a", 1000);
    window.refund("b", 1000);
    window.refund("a", 1000);
    window.refund("a", 1000);
    expect(window.size).toBe(0);
    expect(window.peek("a", 1000)).toEqual({ admitted: true, remaining: 3, retryAfterMs: 0, resetMs: 0 });
  });

  test("answers like a plain list of times", () => {
    const step = fc.record({
      key: fc.constantFrom("a", "b"),
      wait: fc.integer({ min: 0, max: 40_000 }),
      back: fc.nat(4),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const window = createRateWindow(OPTIONS);
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
