import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  createPace,
  createQueue,
  createSingleFlight,
  createThrottle,
  type Place,
  raceAbort,
} from "#concurrency";

describe("createQueue()", () => {
  test("counts a place that is released twice only once", () => {
    const queue = createQueue({ maxRunning: 1, maxWaiting: 0 });
    const place = queue.enter();
    place?.release();
    place?.release();
    expect(queue.enter()?.hasTurn).toBe(true);
    expect(queue.enter()).toBeUndefined();
    expect([queue.running, queue.waiting]).toEqual([1, 0]);
  });

  test("runs lower ranks first, and one rank in order of arrival", async () => {
    const queue = createQueue({ maxRunning: 1 });
    const first = queue.enter();
    const order: string[] = [];
    const places = [2, 0, 1, 0, 2].map((rank, index) => {
      const place = queue.enter(rank) ?? expect.unreachable("the queue is unbounded");
      void place.turn.then(() => {
        order.push(`${rank}.${index}`);
        place.release();
      });
      return place;
    });
    places[3]?.release();
    first?.release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(["0.1", "1.2", "2.0", "2.4"]);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  test("keeps its limits and its order for random calls", () => {
    const step = fc.oneof(fc.record({ enter: fc.nat(2) }), fc.record({ leave: fc.nat(20) }));
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 80 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(4),
        (steps, maxRunning, maxWaiting) => {
          const queue = createQueue({ maxRunning, maxWaiting });
          let held: { place: Place; rank: number }[] = [];
          for (const one of steps) {
            if ("enter" in one) {
              const place = queue.enter(one.enter);
              expect(place === undefined).toBe(held.length === maxRunning + maxWaiting);
              if (place !== undefined) held.push({ place, rank: one.enter });
            } else {
              const leaving = held[one.leave];
              leaving?.place.release();
              held = held.filter((other) => other !== leaving);
            }
            const running = held.filter(({ place }) => place.hasTurn).length;
            expect(running).toBe(Math.min(held.length, maxRunning));
            expect([queue.running, queue.waiting]).toEqual([running, held.length - running]);
          }
        },
      ),
    );
  });
});

const APART_MS = 20;

/** A throttle whose timers fire when the test calls them, at or after their time. */
function open() {
  let now = 1000;
  const timers: { readonly at: number; readonly then: () => void }[] = [];
  const begun: string[] = [];
  const throttle = createThrottle({
    intervalMs: APART_MS,
    now: () => now,
    after: (ms, then) => void timers.push({ at: now + ms, then }),
  });
  return {
    begun,
    timers,
    async begin(...names: readonly string[]) {
      for (const name of names) void throttle.wait().then(() => begun.push(name));
      await settle();
    },
    async pass(ms: number) {
      now += ms;
      // Fires the timers that are due now. Timers that they set fire at the next call, as in an event loop.
      for (const timer of timers.splice(0)) {
        if (timer.at <= now) timer.then();
        else timers.push(timer);
      }
      await settle();
    },
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

describe("createThrottle()", () => {
  test("starts the first caller at once, and a later caller after the interval", async () => {
    const { begun, begin, pass, timers } = open();
    await begin("a");
    expect(begun).toEqual(["a"]);
    await pass(APART_MS);
    await begin("b");
    expect(begun).toEqual(["a", "b"]);
    expect(timers).toEqual([]);
  });

  test("starts callers that arrive together one after another, in order", async () => {
    const { begun, begin, pass } = open();
    await begin("a", "b", "c");
    expect(begun).toEqual(["a"]);
    await pass(APART_MS - 1);
    expect(begun).toEqual(["a"]);
    await pass(1);
    expect(begun).toEqual(["a", "b"]);
    await pass(APART_MS);
    expect(begun).toEqual(["a", "b", "c"]);
  });

  test("starts only one caller when its timer is late", async () => {
    const { begun, begin, pass } = open();
    await begin("a", "b", "c", "d");
    await pass(APART_MS * 10);
    expect(begun).toEqual(["a", "b"]);
    await pass(APART_MS - 1);
    expect(begun).toEqual(["a", "b"]);
    await pass(1);
    expect(begun).toEqual(["a", "b", "c"]);
  });

  test("starts no new caller before those that wait", async () => {
    const { begun, begin, pass } = open();
    await begin("a", "b");
    await pass(APART_MS / 2);
    await begin("c");
    await pass(APART_MS / 2);
    await begin("d");
    expect(begun).toEqual(["a", "b"]);
    await pass(APART_MS);
    await pass(APART_MS);
    expect(begun).toEqual(["a", "b", "c", "d"]);
  });

  test("waits only for the rest of the interval, and for a whole interval after the last of several callers", async () => {
    const { begun, begin, pass } = open();
    await begin("a");
    await pass(APART_MS - 5);
    await begin("b");
    await pass(5);
    expect(begun).toEqual(["a", "b"]);
    await begin("c");
    expect(begun).toEqual(["a", "b"]);
    await pass(APART_MS);
    expect(begun).toEqual(["a", "b", "c"]);
    await pass(APART_MS);
    await begin("d");
    expect(begun).toEqual(["a", "b", "c", "d"]);
  });
});

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
      // A rest as long as the work would take a second; a busy machine makes the one of 60 ms longer, but not so long.
      Bun.sleepSync(1000);
      const longAt = performance.now();
      await pace.rest();
      expect(performance.now() - longAt).toBeLessThan(900);
    });
  });
});

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
