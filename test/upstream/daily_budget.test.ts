import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createClock } from "#kit";
import { type BudgetRepository, createDailyBudget, type DailyBudget, type Reservation } from "#upstream";
import { createDayCounts } from "../../src/upstream/daily_budget.ts";

const MIDNIGHT = Date.UTC(2026, 0, 16);
const TODAY = MIDNIGHT / 86_400_000;

/** A repository in memory that can fail or hang, and counts its calls. */
function openRepository() {
  const memory = createDayCounts();
  const state = { settled: 0, mode: "working" as "working" | "failing" | "silent" | "failing after writing" };
  const repository: BudgetRepository = {
    async settle(day, entries) {
      state.settled += 1;
      if (state.mode === "failing") throw new Error("database is locked");
      if (state.mode === "silent") return new Promise(() => {});
      const results = memory.settle(day, entries);
      if (state.mode === "failing after writing") throw new Error("connection reset");
      return results;
    },
    async read(day) {
      return memory.read(day);
    },
  };
  return { repository, state, used: (id: string, day = TODAY) => memory.read(day).get(id) ?? 0 };
}

async function reserveMany(budget: DailyBudget, id: string, count: number): Promise<Reservation[]> {
  const reservations = await Promise.all(Array.from({ length: count }, () => budget.reserve(id)));
  return reservations.filter((reservation) => reservation !== undefined);
}

describe("createDailyBudget", () => {
  test("grants as many as the limit on a UTC day, to the millisecond", async () => {
    const clock = createClock(MIDNIGHT - 1);
    const budget = createDailyBudget({ now: clock.now, limits: () => 2 });
    expect(await reserveMany(budget, "a", 3)).toHaveLength(2);
    expect([await budget.remaining("a"), await budget.remaining("b")]).toEqual([0, 2]);
    clock.advance(1);
    expect(await budget.remaining("a")).toBe(2);
    expect(await reserveMany(budget, "a", 3)).toHaveLength(2);
    clock.set(MIDNIGHT + 86_399_999);
    expect(await budget.reserve("a")).toBeUndefined();
  });

  test("releases a request once, to the day it was taken from", async () => {
    const clock = createClock(MIDNIGHT - 1);
    const { repository, used } = openRepository();
    const budget = createDailyBudget({ now: clock.now, limits: () => 5, repository });
    const [reservation] = await reserveMany(budget, "a", 2);
    clock.advance(1);
    await reserveMany(budget, "a", 2);
    reservation?.release();
    reservation?.release();
    await budget.flush();
    expect([used("a", TODAY - 1), used("a")]).toEqual([1, 2]);
  });

  test("without a limit nothing is counted, with 0 nothing is granted", async () => {
    const { repository, state } = openRepository();
    const limits = (id: string) => (id === "free" ? undefined : 0);
    const budget = createDailyBudget({ now: createClock().now, limits, repository });
    expect(await budget.reserve("free")).toBeDefined();
    expect(await budget.remaining("free")).toBeUndefined();
    expect(state.settled).toBe(0);
    expect(await budget.reserve("shut")).toBeUndefined();
    expect(await budget.remaining("shut")).toBe(0);
  });

  test("accepts ids that are names of object properties", async () => {
    const budget = createDailyBudget({ now: createClock().now, limits: () => 1 });
    for (const id of ["__proto__", "constructor"]) expect(await reserveMany(budget, id, 2)).toHaveLength(1);
  });

  test("settles all waiting requests in one step, and never grants more than the limit", async () => {
    const { repository, state } = openRepository();
    const limits = (id: string) => Number(id.slice(1));
    const budget = createDailyBudget({ now: createClock().now, limits, repository });
    const [many, few] = await Promise.all([
      reserveMany(budget, "n700", 1000),
      reserveMany(budget, "n3", 1000),
    ]);
    expect([many.length, few.length]).toEqual([700, 3]);
    expect(state.settled).toBe(1);
  });

  test("never has more than the limit reserved, in any order of reservations and releases", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 9 }),
        fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.boolean(), fc.nat(3)), { maxLength: 30 }),
        async (limit, steps) => {
          const clock = createClock(MIDNIGHT);
          const { repository, used } = openRepository();
          const budgets = [1, 2].map(() =>
            createDailyBudget({ now: clock.now, limits: () => limit, repository }),
          );
          const out: Reservation[] = [];
          for (const [name, isTake, count] of steps) {
            const budget = budgets[name === "a" ? 0 : 1] ?? expect.unreachable();
            if (isTake) out.push(...(await reserveMany(budget, "x", count)));
            else for (const reservation of out.splice(0, count)) reservation.release();
            await Promise.all(budgets.map((one) => one.flush()));
            expect(out.length).toBeLessThanOrEqual(limit);
            expect(used("x")).toBe(out.length);
            expect(await budget.remaining("x")).toBe(limit - out.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("createDailyBudget without its repository", () => {
  function arrange(timeoutMs = 1000) {
    const clock = createClock(MIDNIGHT);
    const { repository, state, used } = openRepository();
    const outages: unknown[] = [];
    const onOutage = (error: unknown) => outages.push(error);
    const budget = createDailyBudget({ now: clock.now, limits: () => 10, repository, onOutage, timeoutMs });
    return { clock, state, used, outages, budget };
  }

  test("counts in memory, reports the outage once, and writes the difference later", async () => {
    const { clock, state, used, outages, budget } = arrange();
    await reserveMany(budget, "a", 4);
    state.mode = "failing";
    expect(await reserveMany(budget, "a", 4)).toHaveLength(4);
    expect(await reserveMany(budget, "a", 4)).toHaveLength(2);
    expect(await budget.remaining("a")).toBe(0);
    expect(outages).toHaveLength(1);
    expect(used("a")).toBe(4);
    state.mode = "working";
    clock.advance(5000);
    expect(await reserveMany(budget, "b", 1)).toHaveLength(1);
    expect([used("a"), used("b")]).toEqual([10, 1]);
    expect(await budget.reserve("a")).toBeUndefined();
    state.mode = "failing";
    expect(await reserveMany(budget, "b", 1)).toHaveLength(1);
    expect(outages).toHaveLength(2);
  });

  test("pauses before it tries a failing repository again", async () => {
    const { clock, state, budget } = arrange();
    state.mode = "failing";
    await reserveMany(budget, "a", 1);
    expect(state.settled).toBe(2);
    clock.advance(4999);
    await reserveMany(budget, "a", 1);
    expect(state.settled).toBe(2);
    clock.advance(1);
    await reserveMany(budget, "a", 1);
    expect(state.settled).toBe(4);
  });

  test("does not wait for a silent repository", async () => {
    const { state, outages, budget } = arrange(20);
    state.mode = "silent";
    expect(await reserveMany(budget, "a", 11)).toHaveLength(10);
    expect(String(outages[0])).toContain("20 ms");
  });

  test("writes the difference when it is flushed", async () => {
    const { state, used, budget } = arrange();
    state.mode = "failing";
    await reserveMany(budget, "a", 3);
    state.mode = "working";
    await budget.flush();
    expect(used("a")).toBe(3);
  });

  test("never grants too many when a step may have been written", async () => {
    const { clock, state, used, budget } = arrange();
    const reservations = await reserveMany(budget, "a", 5);
    state.mode = "failing after writing";
    for (const reservation of reservations.splice(0, 2)) reservation.release();
    await budget.flush();
    state.mode = "working";
    clock.advance(5000);
    const others = await reserveMany(budget, "a", 20);
    expect(reservations.length + others.length).toBeLessThanOrEqual(10);
    expect(used("a")).toBe(10);
  });
});
