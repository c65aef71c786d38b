import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { KeyTable } from "../../src/limits/key_table.ts";

describe("KeyTable", () => {
  test("finds, orders and forgets like a Map, in any order of calls", () => {
    const call = fc.record({
      key: fc.nat(40).map((n) => `key ${n}`),
      act: fc.constantFrom("add", "add", "touch", "remove", "drop oldest"),
    });
    fc.assert(
      fc.property(
        fc.array(call, { maxLength: 200 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer(),
        (calls, maxKeys, seed) => {
          const table = new KeyTable(maxKeys, seed);
          const model = new Map<string, number>();
          for (const { key, act } of calls) {
            const slot = table.find(key);
            expect(slot).toBe(model.get(key) ?? -1);
            if (act === "add" && slot < 0 && !table.isFull) model.set(key, table.add(key));
            if (act === "touch" && slot >= 0) {
              table.touch(slot);
              model.delete(key);
              model.set(key, slot);
            }
            if (act === "remove" && slot >= 0) {
              table.remove(slot);
              model.delete(key);
            }
            if (act === "drop oldest" && table.oldest >= 0) {
              const [oldest] = model.keys();
              table.remove(table.oldest);
              model.delete(oldest ?? "");
            }
            const [first] = model.values();
            expect(table.oldest).toBe(first ?? -1);
            expect(table.size).toBe(model.size);
            expect(table.isFull).toBe(model.size === maxKeys);
            expect(new Set(model.values()).size).toBe(model.size);
          }
          for (const [key, slot] of model) expect(table.find(key)).toBe(slot);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("keeps its keys while it grows", () => {
    const table = new KeyTable(100_000, 7);
    const slots = Array.from({ length: 100_000 }, (_, i) => table.add(`key ${i}`));
    expect(table.isFull).toBe(true);
    expect(new Set(slots).size).toBe(100_000);
    expect(slots.every((slot, i) => table.find(`key ${i}`) === slot)).toBe(true);
    expect(table.find("key 100000")).toBe(-1);
  });
});
