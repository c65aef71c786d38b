import { describe, expect, test } from "bun:test";
import { planMemory, watchMemory } from "../../src/app/memory.ts";

const MIB = 1024 * 1024;

describe("planMemory", () => {
  test("gives a quarter of what the program leaves to the caches, half of it to reports and half to replies", () => {
    expect(planMemory(undefined, 256 * MIB)).toEqual({
      processBytes: 256 * MIB,
      reportBytes: 16 * MIB,
      replyBytes: 16 * MIB,
    });
  });

  test("gives at most 512 MiB by default, however large the machine is", () => {
    const { reportBytes, replyBytes, processBytes } = planMemory(undefined, 64 * 1024 * MIB);
    expect(reportBytes + replyBytes).toBe(512 * MIB);
    expect(processBytes).toBe((2048 + 128) * MIB);
  });

  test("follows the setting, and never allows more than there is", () => {
    expect(planMemory(32 * MIB, 8192 * MIB).processBytes).toBe(256 * MIB);
    const tight = planMemory(200 * MIB, 256 * MIB);
    expect(tight.processBytes).toBe(256 * MIB);
    expect(tight.reportBytes).toBe(100 * MIB);
  });
});

describe("watchMemory", () => {
  function open(processBytes: number) {
    let check = () => {};
    let isStopped = false;
    const state = { bytes: 0, afterwards: 0, collections: 0 };
    const stop = watchMemory({
      processBytes,
      readBytes: () => state.bytes,
      collect() {
        state.collections += 1;
        state.bytes = state.afterwards;
      },
      every(_, then) {
        check = then;
        return () => {
          isStopped = true;
        };
      },
    });
    return { state, stop, check: () => check(), isStopped: () => isStopped };
  }

  test("leaves a process with enough memory alone", () => {
    const { state, check } = open(1000);
    state.bytes = 549;
    for (let turn = 0; turn < 10; turn += 1) check();
    expect(state.collections).toBe(0);
  });

  test("collects near the limit, and again only after new growth", () => {
    const { state, check } = open(1000);
    state.bytes = 700;
    state.afterwards = 650;
    check();
    check();
    expect(state.collections).toBe(1);
    state.bytes = 699;
    check();
    expect(state.collections).toBe(1);
    state.bytes = 701;
    check();
    expect(state.collections).toBe(2);
  });

  test("ends with the server", () => {
    const { stop, isStopped } = open(1000);
    stop();
    expect(isStopped()).toBe(true);
  });
});
