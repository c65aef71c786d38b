import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Address, parseAddress } from "#address";
import { onionoo } from "../../../src/sources/live/onionoo.ts";

const V4 = parseAddress("203.0.113.7") ?? expect.unreachable();

describe("onionoo", () => {
  test("ignores a longer address that starts with the requested one", () => {
    const others = fc.uniqueArray(fc.integer({ min: 70, max: 79 }), { minLength: 1 });
    fc.assert(
      fc.property(others, (lastBytes) => {
        const relays = lastBytes.map((last) => relay({ or_addresses: [`203.0.113.${last}:9001`] }));
        expect(read(V4, ...relays)?.flags).toEqual({ isTor: false });
      }),
    );
  });

  test("classifies only a running relay with the Exit flag as an exit", () => {
    const flags = fc.subarray(["BadExit", "Fast", "Guard", "HSDir", "Running", "Stable", "V2Dir", "Valid"]);
    fc.assert(
      fc.property(flags, fc.boolean(), (others, running) => {
        const exit = read(V4, relay({ flags: [...others, "Exit"], running }));
        expect(exit?.flags).toEqual(running ? { isTor: true } : undefined);
        const middle = read(V4, relay({ flags: others, running }));
        expect(middle?.flags).toEqual(running ? { isTor: false } : undefined);
        expect(middle?.authority).toBeUndefined();
        expect(middle?.listings?.flatMap(({ meanings }) => meanings)).toEqual(running ? ["info"] : undefined);
      }),
    );
  });
});

function relay(more: object): object {
  return { or_addresses: ["203.0.113.7:9001"], running: true, flags: ["Exit"], ...more };
}

function read(address: Address, ...relays: readonly object[]) {
  return onionoo.read({ status: 200, body: { relays } }, address);
}
