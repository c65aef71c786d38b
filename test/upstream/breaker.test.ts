import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createClock } from "#kit";
import { createBreaker, UpstreamError } from "#upstream";

const DOWN = new UpstreamError("timeout", "no answer in time");
const QUOTA = new UpstreamError("quota", "HTTP 429");

function start() {
  const clock = createClock();
  return { clock, breaker: createBreaker({ now: clock.now }) };
}

describe("createBreaker", () => {
  test.each([
    ["timeout", 5],
    ["shape", 5],
    ["too_large", 5],
    ["unavailable", 20],
  ] as const)("opens after failures of the kind %s: %d in a row, not for other ids", (kind, most) => {
    const { breaker } = start();
    for (let turn = 1; turn < most; turn += 1) breaker.failed("a", new UpstreamError(kind, "x"));
    expect(breaker.admit("a")).toBe(true);
    breaker.failed("a", new UpstreamError(kind, "x"));
    expect(breaker.admit("a")).toBe(false);
    expect(breaker.admit("b")).toBe(true);
    expect(breaker.states()).toMatchObject([{ state: "open", failures: most }]);
  });

  test("reports ids that failed since the last answer; ended requests and requested pauses do not count", () => {
    const { breaker } = start();
    expect(breaker.isFailing("a")).toBe(false);
    for (let turn = 0; turn < 50; turn += 1) {
      breaker.failed("a", new UpstreamError("timeout", "cancelled"));
      breaker.failed("a", new UpstreamError("timeout", "no free slot in time"));
    }
    expect(breaker.admit("a")).toBe(true);
    breaker.failed("b", QUOTA);
    expect([breaker.isFailing("a"), breaker.isFailing("b")]).toEqual([false, false]);
    breaker.failed("a", DOWN);
    expect([breaker.isFailing("a"), breaker.isFailing("b")]).toEqual([true, false]);
    breaker.succeeded("a");
    expect(breaker.isFailing("a")).toBe(false);
  });

  test("every mix of failures opens it after at most twenty in a row", () => {
    const kinds = ["timeout", "refused", "status", "shape", "too_large", "unavailable", "quota"] as const;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...kinds), { minLength: 20, maxLength: 20 }), (mix) => {
        const { breaker } = start();
        for (const kind of mix) breaker.failed("a", new UpstreamError(kind, "x"));
        expect(breaker.admit("a")).toBe(false);
      }),
    );
  });

  test("one probe at a time; its failure opens again, its success closes", () => {
    const { breaker, clock } = start();
    for (let turn = 0; turn < 5; turn += 1) breaker.failed("a", DOWN);
    clock.advance(2_999);
    expect(breaker.admit("a")).toBe(false);
    clock.advance(1);
    expect([breaker.admit("a"), breaker.admit("a")]).toEqual([true, false]);
    expect(breaker.states()).toMatchObject([{ id: "a", state: "half_open" }]);
    breaker.failed("a", DOWN);
    expect(breaker.admit("a")).toBe(false);
    clock.advance(3_000);
    expect([breaker.admit("a"), breaker.admit("a")]).toEqual([true, false]);
    breaker.succeeded("a");
    expect([breaker.admit("a"), breaker.admit("a")]).toEqual([true, true]);
    expect(breaker.states()).toEqual([]);
  });

  test("a lost probe and a probe without a result do not block the next probe", () => {
    const { breaker, clock } = start();
    for (let turn = 0; turn < 5; turn += 1) breaker.failed("a", DOWN);
    clock.advance(3_000);
    expect(breaker.admit("a")).toBe(true);
    clock.advance(5_000);
    expect([breaker.admit("a"), breaker.admit("a")]).toEqual([true, false]);
    breaker.failed("a", new UpstreamError("timeout", "cancelled"));
    expect([breaker.admit("a"), breaker.admit("a")]).toEqual([true, false]);
  });

  test("a quota error pauses for the time it names, and a late success does not end the pause", () => {
    const { breaker, clock } = start();
    breaker.failed("a", new UpstreamError("quota", "HTTP 429", { retryAfterMs: 120_000 }));
    breaker.succeeded("a");
    expect(breaker.admit("a")).toBe(false);
    clock.advance(119_999);
    expect(breaker.admit("a")).toBe(false);
    clock.advance(1);
    expect([breaker.admit("a"), breaker.admit("a")]).toEqual([true, false]);
    breaker.succeeded("a");
    expect(breaker.states()).toEqual([]);
  });

  test("a Retry-After of another status pauses too, at most a day and at least a second", () => {
    const { breaker, clock } = start();
    breaker.failed("a", new UpstreamError("status", "HTTP 503", { retryAfterMs: 0 }));
    breaker.failed("b", new UpstreamError("status", "HTTP 503", { retryAfterMs: Number.MAX_SAFE_INTEGER }));
    expect([breaker.admit("a"), breaker.admit("b")]).toEqual([false, false]);
    clock.advance(1_000);
    expect(breaker.admit("a")).toBe(true);
    clock.advance(86_399_000);
    expect(breaker.admit("b")).toBe(true);
  });

  test("a quota error without a time pauses a minute, doubling to an hour; errors at the same time count once", () => {
    const { breaker, clock } = start();
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(breaker.admit("a")).toBe(true);
      for (let burst = 0; burst < 10; burst += 1) breaker.failed("a", QUOTA);
      clock.advance(minutes * 60_000 - 1);
      expect(breaker.admit("a")).toBe(false);
      clock.advance(1);
    }
    expect(breaker.admit("a")).toBe(true);
    breaker.succeeded("a");
    breaker.failed("a", QUOTA);
    clock.advance(60_000);
    expect(breaker.admit("a")).toBe(true);
  });

  test("remembers a bounded number of ids", () => {
    const { breaker } = start();
    for (let id = 0; id < 5_000; id += 1) breaker.failed(`id${id}`, DOWN);
    expect(breaker.states().length).toBe(1_024);
  });

  test("a healthy source is asked again within 10 s after any failure", () => {
    const step = fc.oneof(
      fc.constant("admit"),
      fc.constant("lose"),
      fc.constantFrom("timeout", "refused", "status", "shape", "too_large", "unavailable"),
      fc.integer({ min: 0, max: 20_000 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { breaker, clock } = start();
        for (const one of steps) {
          if (typeof one === "number") clock.advance(one);
          else if (one === "admit") breaker.admit("a") && breaker.failed("a", DOWN);
          else if (one === "lose") breaker.admit("a");
          else breaker.failed("a", new UpstreamError(one, "x"));
        }
        const healthyAt = clock.now();
        while (!breaker.admit("a")) clock.advance(100);
        breaker.succeeded("a");
        expect(clock.now() - healthyAt).toBeLessThanOrEqual(10_000);
        expect(breaker.states()).toEqual([]);
      }),
    );
  });
});
