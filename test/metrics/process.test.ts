import { describe, expect, test } from "bun:test";
import { watchLoop } from "#metrics";

describe("watchLoop()", () => {
  test("measures how late its timer fires, and resets the longest delay when it is read", () => {
    let nowMs = 0;
    let tick = () => {};
    let stopped = 0;
    const delays: number[] = [];
    const watch = watchLoop({
      clock: () => nowMs,
      every(ms, then) {
        expect(ms).toBe(250);
        tick = then;
        return () => {
          stopped += 1;
        };
      },
      onDelay: (seconds) => delays.push(seconds),
    });
    for (const at of [250, 750, 1010]) {
      nowMs = at;
      tick();
    }
    expect(delays).toEqual([0, 0.25, 0.01]);
    expect(watch.takeLongest()).toBe(0.25);
    expect(watch.takeLongest()).toBe(0);
    watch.stop();
    expect(stopped).toBe(1);
  });
});
