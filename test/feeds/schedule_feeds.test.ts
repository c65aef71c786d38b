import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createCompiler, type FeedSchedule, type Feeds, type RefreshOutcome, scheduleFeeds } from "#feeds";
import { openFor, readAddress } from "#kit";
import { openFeedSetup, registry } from "./feed_setup.ts";
import { alpha, FEEDS } from "./small_feeds.ts";

const HOUR = 3_600_000;
const LIST = "8.8.4.1\n8.8.4.2\n";

const at = openFor("each", openFeedSetup);
let schedule: FeedSchedule | undefined;
let outcomes: RefreshOutcome[];
let problems: string[];
let compiled: number;
let alarm: { callback: () => void; dueMs: number } | undefined;
const waiters: (() => void)[] = [];

beforeEach(() => {
  outcomes = [];
  problems = [];
  compiled = 0;
  alarm = undefined;
});
afterEach(async () => {
  await schedule?.stop();
  schedule = undefined;
});

function wake(): void {
  for (const waiter of waiters.splice(0)) waiter();
}

/** Waits until `isSo` returns true. The clock does not move meanwhile. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise<void>((resolve) => {
      waiters.push(resolve);
    });
  }
}

/** Moves the clock to the time of the timer, and runs its callback. */
function ring(): void {
  const due = alarm ?? expect.unreachable("no timer is set");
  alarm = undefined;
  at.clock.nowMs = Math.max(at.clock.nowMs, due.dueMs);
  due.callback();
}

function start(feeds: Feeds, random = 0.5): void {
  schedule = scheduleFeeds({
    feeds,
    compiler: createCompiler({ registry }),
    openSession: (signal) => at.client.openSession(signal),
    now: () => at.clock.nowMs,
    random: () => random,
    setTimer(callback, delayMs) {
      const own = { callback, dueMs: at.clock.nowMs + delayMs };
      alarm = own;
      wake();
      return () => {
        if (alarm === own) alarm = undefined;
      };
    },
    onRefreshed(outcome) {
      outcomes.push(outcome);
      wake();
    },
    onCompiled() {
      compiled += 1;
      wake();
    },
    onProblem(problem) {
      problems.push(problem);
      wake();
    },
  });
}

describe("scheduleFeeds", () => {
  test("downloads feeds that are due, compiles them, and downloads again at the feed's cadence", async () => {
    at.gateway.on("lists.example", "/alpha.txt", { text: LIST });
    const feeds = at.open([alpha]);
    start(feeds);
    expect(outcomes).toEqual([]);
    ring();
    await until(() => outcomes.length === 1 && alarm !== undefined);
    expect(outcomes).toEqual([{ id: "alpha", did: "updated", rows: 2 }]);
    expect(compiled).toBe(0);
    ring();
    await until(() => compiled === 1 && alarm !== undefined);
    expect(feeds.lists(readAddress("8.8.4.1"))).toHaveLength(1);
    expect(problems).toEqual([]);
    const fetchedMs = feeds.state("alpha").fetchedAt ?? 0;
    for (let turn = 0; turn < 10 && outcomes.length === 1; turn++) {
      ring();
      if (at.clock.nowMs >= fetchedMs + HOUR) await until(() => outcomes.length === 2);
    }
    expect(at.clock.nowMs).toBe(fetchedMs + HOUR);
    expect(outcomes[1]).toMatchObject({ did: "unchanged" });
    expect(at.gateway.calls).toHaveLength(2);
  });

  test.each([
    [0.1, 1500, 0.92],
    [0.9, 13_500, 1.08],
  ])("spreads the downloads of several processes over time (%p)", async (random, firstMs, share) => {
    at.gateway.on("lists.example", "/alpha.txt", { text: LIST });
    const feeds = at.open([alpha]);
    const startedMs = at.clock.nowMs;
    start(feeds, random);
    expect(alarm?.dueMs).toBe(startedMs + firstMs);
    ring();
    await until(() => outcomes.length === 1 && alarm !== undefined);
    expect(feeds.cache.record("alpha").dueAt).toBe(startedMs + firstMs + HOUR * share);
  });

  test("downloads two at a time, and the failure of one does not affect the others", async () => {
    let open = 0;
    let most = 0;
    at.gateway.on("lists.example", /./, async () => {
      most = Math.max(most, ++open);
      await Bun.sleep(15);
      open -= 1;
      return { text: LIST };
    });
    at.gateway.on("lists.example", "/page", { status: 500 });
    // The compiler does not have these feeds, so it refuses each download as the failure of that feed.
    const copies = [1, 2, 3].map((n) => ({ ...alpha, id: `alpha${n}` }));
    start(at.open([...copies, ...FEEDS.filter((feed) => feed.id !== "beta")]));
    ring();
    await until(() => outcomes.length === 5);
    expect(most).toBe(2);
    expect(outcomes.filter(({ did }) => did !== "failed")).toEqual([
      { id: "alpha", did: "updated", rows: 2 },
    ]);
    expect(at.open(copies).state("alpha1").error?.problem).toBe("there is no such feed");
  });

  test("does not download again immediately after a restart", async () => {
    at.gateway.on("lists.example", "/alpha.txt", { status: 503 });
    start(at.open([alpha]));
    ring();
    await until(() => outcomes.length === 1 && alarm !== undefined);
    await schedule?.stop();
    start(at.open([alpha]));
    expect((alarm?.dueMs ?? 0) - at.clock.nowMs).toBe(300_000);
  });

  test("stops at once, even while a server does not answer", async () => {
    at.gateway.on("lists.example", /./, { fault: "hang" });
    start(at.open());
    ring();
    while (at.gateway.calls.length < 2) await Bun.sleep(1);
    const startedAt = performance.now();
    await schedule?.stop();
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(outcomes).toEqual([]);
  });
});

describe("rebuild", () => {
  test("replaces the table while lookups continue and never see an incomplete table", async () => {
    const feeds = at.open([alpha]);
    const reach = readAddress("8.8.4.1");
    const old = readAddress("8.8.4.2");
    const compiler = createCompiler({ registry });
    const put = (text: string) => {
      const { name } = feeds.cache.put("alpha", 0, new TextEncoder().encode(text));
      const file = { index: 0, url: "https://lists.example/alpha.txt", name, bytes: text.length };
      const moment = at.clock.nowMs;
      const good = { files: [file], rows: 2, stripped: 0, fetchedAt: moment, checkedAt: moment };
      feeds.cache.save("alpha", { good, failures: 0, dueAt: moment });
    };
    put(LIST);
    await feeds.rebuild(compiler);
    const seen = new Set<string>();
    let isDone = false;
    let turns = 0;
    const looking = (async () => {
      while (!isDone) {
        seen.add(`${feeds.lists(reach)?.length} ${feeds.lists(old)?.length}`);
        turns += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    put("8.8.4.1\n8.8.4.9\n");
    await feeds.rebuild(compiler);
    isDone = true;
    await looking;
    seen.add(`${feeds.lists(reach)?.length} ${feeds.lists(old)?.length}`);
    expect([...seen]).toEqual(["1 1", "1 undefined"]);
    expect(turns).toBeGreaterThan(1);
    compiler.close();
  });

  test("keeps the old table when the compiler is stopped during its work", async () => {
    const compiler = createCompiler({ registry });
    const feeds = at.open([alpha]);
    const rebuild = feeds.rebuild(compiler);
    compiler.close();
    await expect(rebuild).rejects.toThrow("it was stopped");
    expect(feeds.lists(readAddress("8.8.4.1"))).toBeUndefined();
  });
});
