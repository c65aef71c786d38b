import { describe, expect, test } from "bun:test";
import { createSingleFlight, raceAbort } from "#concurrency";

describe("createSingleFlight()", () => {
  test("shares one run among calls with the same key until it ends", async () => {
    const flight = createSingleFlight<number>();
    let runs = 0;
    const work = async () => {
      runs += 1;
      await Promise.resolve();
      return runs;
    };
    expect(await Promise.all([flight.run("a", work), flight.run("a", work), flight.run("b", work)])).toEqual([
      2, 2, 2,
    ]);
    expect(runs).toBe(2);
    expect(await flight.run("a", work)).toBe(3);
  });

  test("gives a failure to every caller, and starts again after it", async () => {
    const flight = createSingleFlight<string>();
    const fail = () => Promise.reject(new Error("down"));
    const results = await Promise.allSettled([flight.run("a", fail), flight.run("a", fail)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await flight.run("a", () => Promise.resolve("up"))).toBe("up");
  });
});

describe("raceAbort()", () => {
  test("gives the result of the work", async () => {
    const { signal } = new AbortController();
    expect(await raceAbort(Promise.resolve(1), signal)).toBe(1);
    await expect(raceAbort(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  });

  test("rejects with the reason of the signal, before and during the work", async () => {
    const never = new Promise<never>(() => {});
    const leaving = new AbortController();
    const waiting = raceAbort(never, leaving.signal);
    leaving.abort(new Error("left"));
    await expect(waiting).rejects.toThrow("left");
    await expect(raceAbort(never, leaving.signal)).rejects.toThrow("left");
  });
});
