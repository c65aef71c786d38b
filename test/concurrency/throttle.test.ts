import { describe, expect, test } from "bun:test";
import { createThrottle } from "#concurrency";

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
