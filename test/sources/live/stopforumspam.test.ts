import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
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

  test.each([
    ["frequency", "1e3"],
    ["frequency", ""],
    ["frequency", -1],
    ["confidence", 100.1],
    ["confidence", "NaN"],
    ["appears", 2],
  ])("refuses the %s %p", (field, value) => {
    const ip = { value: ADDRESS.text, appears: 1, frequency: 3, confidence: 12, [field]: value };
    expect(() => read({ success: 1, ip })).toThrow(UpstreamError);
  });

  test("keeps the age of an old entry", () => {
    const ip = {
      value: ADDRESS.text,
      appears: 1,
      frequency: 2,
      confidence: 4,
      lastseen: "2019-02-30 00:00:00",
    };
    expect(read({ success: 1, ip })?.abuse).toEqual({ score: 4, reports: 2 });
    const real = { ...ip, lastseen: "2019-02-28 00:00:01" };
    expect(read({ success: 1, ip: real })?.abuse?.lastSeen).toBe("2019-02-28T00:00:01Z");
  });
});

function read(body: unknown) {
  return stopforumspam.read({ status: 200, body }, ADDRESS);
}
