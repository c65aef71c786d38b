import { describe, expect, test } from "bun:test";
import { createClient } from "@libsql/client";
import { createClock } from "#kit";
import { openStore, type Store } from "#store";
import { createDailyBudget, type DailyBudget } from "#upstream";
import { migrations, project, setUpBackend } from "../backend.ts";

const MIDNIGHT = Date.UTC(2026, 0, 16);
const TODAY = MIDNIGHT / 86_400_000;
function entry(id: string, limit: number, wanted: number, correction = 0) {
  return { id, limit, wanted, correction };
}

function budgetOf(store: Store, limit: number, now = createClock(MIDNIGHT).now): DailyBudget {
  const onOutage = (error: unknown) => expect.unreachable(String(error));
  return createDailyBudget({ now, limits: () => limit, repository: store.budgets, onOutage });
}

async function takeMany(budget: DailyBudget, count: number): Promise<number> {
  const tickets = await Promise.all(Array.from({ length: count }, () => budget.reserve("x")));
  return tickets.filter((ticket) => ticket !== undefined).length;
}

const { backend, store } = setUpBackend("file");

describe("Store.budgets", () => {
  test("grants what is left of each source, and nothing of one that is used up", async () => {
    const { budgets } = store;
    const entries = [entry("a", 5, 3), entry("b", 2, 3), entry("none", 0, 1)];
    expect(await budgets.settle(TODAY, entries)).toEqual([
      { id: "a", granted: 3, used: 3 },
      { id: "b", granted: 2, used: 2 },
    ]);
    expect(await budgets.settle(TODAY, entries)).toEqual([{ id: "a", granted: 2, used: 5 }]);
    expect(await budgets.settle(TODAY, entries)).toEqual([]);
    expect(await budgets.read(TODAY)).toEqual(
      new Map([
        ["a", 5],
        ["b", 2],
        ["none", 0],
      ]),
    );
  });

  test("corrects before it grants, below nothing and beyond the limit alike", async () => {
    const { budgets } = store;
    await budgets.settle(TODAY, [entry("a", 5, 5)]);
    expect(await budgets.settle(TODAY, [entry("a", 5, 3, -2)])).toEqual([{ id: "a", granted: 2, used: 5 }]);
    expect(await budgets.settle(TODAY, [entry("a", 5, 1, 4)])).toEqual([{ id: "a", granted: 0, used: 9 }]);
    expect(await budgets.settle(TODAY, [entry("a", 5, 1, -50)])).toEqual([{ id: "a", granted: 1, used: 1 }]);
  });

  test("keeps days apart and forgets those of more than a week ago", async () => {
    const { budgets } = store;
    for (const day of [TODAY - 8, TODAY - 7, TODAY]) await budgets.settle(day, [entry("a", 5, 1)]);
    expect((await budgets.read(TODAY - 8)).size).toBe(0);
    expect((await budgets.read(TODAY - 7)).get("a")).toBe(1);
    expect((await budgets.read(TODAY)).get("a")).toBe(1);
  });

  test("writes nothing once everything is used up", async () => {
    const { budgets } = store;
    await budgets.settle(TODAY, [entry("a", 1, 1)]);
    const client = createClient({ url: backend.url });
    const version = async () => (await client.execute("PRAGMA data_version")).rows[0]?.data_version;
    const before = await version();
    await budgets.settle(TODAY, [entry("a", 1, 1)]);
    expect(await version()).toBe(before);
    await budgets.settle(TODAY, [entry("b", 1, 1)]);
    expect(await version()).not.toBe(before);
    client.close();
  });
});

describe("a budget kept in the store", () => {
  test("is exact over a thousand takes at once through two stores on one file", async () => {
    const budgets = [budgetOf(store, 700), budgetOf(await backend.open(), 700)];
    const granted = await Promise.all(budgets.map((budget) => takeMany(budget, 500)));
    expect(granted[0] ?? 0).toBe(500);
    expect(granted[1] ?? 0).toBe(200);
    for (const budget of budgets) expect(await budget.remaining("x")).toBe(0);
  });

  test("goes on after a restart where it was, and starts anew at midnight UTC", async () => {
    const clock = createClock(MIDNIGHT - 1);
    const first = await openStore({ url: backend.url, migrations });
    expect(await takeMany(budgetOf(first, 5, clock.now), 3)).toBe(3);
    await first.close();
    const second = budgetOf(await backend.open(), 5, clock.now);
    expect(await second.remaining("x")).toBe(2);
    expect(await takeMany(second, 3)).toBe(2);
    clock.advance(1);
    expect(await second.remaining("x")).toBe(5);
    expect(await takeMany(second, 9)).toBe(5);
  });

  test("is exact among processes, and kill -9 forgets nothing that was granted", async () => {
    const limit = 900;
    const script = (isVictim: boolean) => `
      import { openStore } from "#store";
      import { createDailyBudget } from "#upstream";
      const store = await openStore({ url: "${backend.url}", migrations: "${migrations}" });
      const budget = createDailyBudget({
        now: () => ${MIDNIGHT}, limits: () => ${limit}, repository: store.budgets,
        onOutage: (error) => { process.stderr.write(String(error)); process.exit(9); },
      });
      for (;;) {
        const tickets = await Promise.all([budget.reserve("x"), budget.reserve("x"), budget.reserve("x")]);
        const granted = tickets.filter((ticket) => ticket !== undefined).length;
        if (granted > 0) process.stdout.write("+".repeat(granted));
        if (granted < 3 && !${isVictim}) break;
        await Bun.sleep(2);
      }
      await store.close();`;
    const children = [true, false, false].map((isVictim) =>
      Bun.spawn([process.execPath, "-e", script(isVictim)], { cwd: project, stdout: "pipe", stderr: "pipe" }),
    );
    const [victim, ...others] = children;
    void Promise.all(others.map((child) => child.exited)).then(() => victim?.kill("SIGKILL"));
    const granted = await Promise.all(
      children.map(async (child) => {
        let count = 0;
        for await (const chunk of child.stdout) {
          count += chunk.length;
          if (child === victim && count > 20) child.kill("SIGKILL");
        }
        return count;
      }),
    );
    expect(await Promise.all(others.map((child) => child.exited))).toEqual([0, 0]);
    expect(await victim?.exited).toBe(137);
    const total = granted.reduce((sum, count) => sum + count, 0);
    expect((await store.budgets.read(TODAY)).get("x")).toBe(limit);
    // What the killed one was granted but could no longer tell: one step at most.
    expect(total).toBeLessThanOrEqual(limit);
    expect(total).toBeGreaterThanOrEqual(limit - 3);
    expect(await takeMany(budgetOf(store, limit), 3)).toBe(0);
  }, 20_000);
});
