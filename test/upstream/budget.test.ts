import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createClock } from "#kit";
import { createBudget } from "#upstream";

const MIDNIGHT = Date.UTC(2026, 0, 16);

describe("createBudget", () => {
  test("gives as many as the limit a UTC day, to the millisecond", () => {
    const clock = createClock(MIDNIGHT - 1);
    const budget = createBudget({ now: clock.now, limits: () => 2 });
    expect([budget.take("a"), budget.take("a"), budget.take("a")]).toEqual([true, true, false]);
    expect([budget.left("a"), budget.left("b")]).toEqual([0, 2]);
    clock.advance(1);
    expect(budget.left("a")).toBe(2);
    expect([budget.take("a"), budget.take("a"), budget.take("a")]).toEqual([true, true, false]);
    clock.set(MIDNIGHT + 86_399_999);
    expect(budget.take("a")).toBe(false);
  });

  test("without a limit nothing is counted, with 0 nothing is given", () => {
    const budget = createBudget({ now: createClock().now, limits: (id) => (id === "free" ? undefined : 0) });
    expect([budget.take("free"), budget.left("free")]).toEqual([true, undefined]);
    expect([budget.take("shut"), budget.left("shut")]).toEqual([false, 0]);
  });

  test("ids that are names of object properties are ordinary", () => {
    const budget = createBudget({ now: createClock().now, limits: () => 1 });
    for (const id of ["__proto__", "constructor"])
      expect([budget.take(id), budget.take(id)]).toEqual([true, false]);
  });

  test("never more than the limit is out, whatever is given back", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9 }),
        fc.array(fc.boolean(), { maxLength: 80 }),
        (limit, steps) => {
          const budget = createBudget({ now: createClock().now, limits: () => limit });
          let out = 0;
          for (const isTake of steps) {
            if (isTake) out += budget.take("a") ? 1 : 0;
            else if (out > 0) {
              budget.giveBack("a");
              out -= 1;
            } else budget.giveBack("a");
            expect(budget.left("a")).toBe(limit - out);
          }
        },
      ),
    );
  });
});
