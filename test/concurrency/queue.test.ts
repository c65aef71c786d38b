import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createQueue, type Place } from "#concurrency";

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
