import { describe, expect, test } from "bun:test";
import { createClock } from "#kit";
import { createOutage } from "../../src/concurrency/outage.ts";

const LOST = { reached: false } as const;

function arrange() {
  const clock = createClock();
  const said: string[] = [];
  const outage = createOutage({
    firstPauseMs: 1000,
    longestPauseMs: 5000,
    now: clock.now,
    onLoss: (error) => said.push(String(error)),
    onReturn: (lastedMs) => said.push(`back after ${lastedMs}`),
  });
  let asked = 0;
  return {
    clock,
    said,
    outage,
    asked: () => asked,
    succeed: () =>
      outage.read(async () => {
        asked += 1;
        return "row";
      }),
    fail: () =>
      outage.read(async () => {
        asked += 1;
        throw new Error("gone");
      }),
  };
}

describe("createOutage()", () => {
  test("returns the value of a read", async () => {
    const { succeed, said } = arrange();
    expect(await succeed()).toEqual({ reached: true, value: "row" });
    expect(said).toEqual([]);
  });

  test("probes after 1 s, 2 s, 4 s, 5 s and every 5 s, once each time, and starts again with the next outage", async () => {
    const { clock, fail, succeed, asked, said } = arrange();
    for (const pauseMs of [1000, 2000, 4000, 5000, 5000]) {
      const before = asked();
      expect(await fail()).toEqual(LOST);
      expect(asked()).toBe(before + 1);
      clock.advance(pauseMs - 1);
      expect(await succeed()).toEqual(LOST);
      expect(asked()).toBe(before + 1);
      clock.advance(1);
    }
    expect(await succeed()).toMatchObject({ reached: true });
    expect(said).toEqual(["Error: gone", "back after 17000"]);
    await fail();
    clock.advance(1000);
    expect(await succeed()).toMatchObject({ reached: true });
    expect(said.slice(2)).toEqual(["Error: gone", "back after 1000"]);
  });

  test("does not wait for a running probe, and sends another one if it never ends", async () => {
    const { clock, outage, fail, succeed } = arrange();
    await fail();
    clock.advance(1000);
    void outage.read(() => new Promise(() => {}));
    expect(await succeed()).toEqual(LOST);
    clock.advance(4999);
    expect(await succeed()).toEqual(LOST);
    clock.advance(1);
    expect(await succeed()).toMatchObject({ reached: true });
  });

  test("reports concurrent failures once, and does not pause longer", async () => {
    const { clock, outage, succeed, said } = arrange();
    const ends = Array.from({ length: 50 }, () => Promise.withResolvers<never>());
    const reads = ends.map(({ promise }) => outage.read(() => promise));
    for (const [n, end] of ends.entries()) {
      if (n === 1) clock.advance(900);
      end.reject(new Error("gone"));
      await reads[n];
    }
    expect(said).toEqual(["Error: gone"]);
    clock.advance(100);
    expect(await succeed()).toMatchObject({ reached: true });
  });
});
