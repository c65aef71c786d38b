import { describe, expect, test } from "bun:test";
import { createPace } from "#concurrency";

const TOOK_MS = 100;

describe("createPace()", () => {
  test("runs one after another, rests for as long as the work took, and refuses what too many wait before", async () => {
    const pace = createPace({ maxWaiting: 1, maxRestMs: 1000 });
    let running = 0;
    const started: number[] = [];
    const work = async () => {
      running += 1;
      started.push(performance.now());
      expect(running).toBe(1);
      await Bun.sleep(TOOK_MS);
      running -= 1;
      return "done";
    };
    const runs = await Promise.all([pace.run(work), pace.run(work), pace.run(work)]);
    expect(runs).toEqual(["done", "done", undefined]);
    const [first = 0, second = 0] = started;
    expect(second - first).toBeGreaterThan(1.8 * TOOK_MS);
  });

  test("goes on after work that failed", async () => {
    const pace = createPace({ maxWaiting: 1, maxRestMs: 1000 });
    const failing = pace.run(() => Promise.reject(new Error("no table")));
    const next = pace.run(() => "done");
    await expect(failing).rejects.toThrow("no table");
    expect(await next).toBe("done");
  });

  test("rests within long work for as long as it has run, at most for the longest rest", async () => {
    const pace = createPace({ maxWaiting: 0, maxRestMs: 60 });
    await pace.run(async () => {
      Bun.sleepSync(30);
      const restedAt = performance.now();
      await pace.rest();
      const short = performance.now() - restedAt;
      expect(short).toBeGreaterThan(25);
      Bun.sleepSync(300);
      const longAt = performance.now();
      await pace.rest();
      expect(performance.now() - longAt).toBeLessThan(250);
    });
  });
});
