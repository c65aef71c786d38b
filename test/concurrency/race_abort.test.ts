import { describe, expect, test } from "bun:test";
import { raceAbort } from "#concurrency";

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
