import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { stopforumspam } from "../../../src/sources/live/stopforumspam.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();

describe("stopforumspam", () => {
  test("reads numbers, and numbers as text", () => {
    const entry = fc.record({
      appears: fc.nat(1),
      frequency: fc.nat(254),
      confidence: fc.nat(10_000).map((hundredths) => hundredths / 100),
    });
    fc.assert(
      fc.property(entry, (numbers) => {
        const texts = Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, String(value)]));
        expect(read({ success: "1", ip: { value: ADDRESS.text, ...texts } })).toEqual(
          read({ success: 1, ip: { value: ADDRESS.text, ...numbers } }),
        );
      }),
    );
  });
});

function read(body: unknown) {
  return stopforumspam.read({ status: 200, body }, ADDRESS);
}
