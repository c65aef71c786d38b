import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readAddress } from "#kit";
import { omitEmpty, readAsn, readRoute, readTimestamp, readTimezone } from "../../src/sources/read_fields.ts";

const ADDRESS = readAddress("203.0.113.7");
const ADDRESS6 = readAddress("2001:db8::7");

describe("omitEmpty", () => {
  test("leaves out undefined and empty values only", () => {
    const fields = { a: undefined, b: {}, c: [], d: 0, e: false, f: "", g: { h: undefined }, i: ["x"] };
    expect<unknown>(omitEmpty(fields)).toStrictEqual({
      d: 0,
      e: false,
      f: "",
      g: { h: undefined },
      i: ["x"],
    });
  });
});

describe("readAsn", () => {
  test("reads every AS number in all spellings", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0xfffffffe }), (asn) => {
        for (const text of [asn, `${asn}`, `AS${asn}`, `as${asn} Example GmbH`]) {
          expect(readAsn(text)).toBe(asn);
        }
      }),
    );
  });

  test.each([0, "AS0", 0xffffffff, "AS4294967295", "4294967296", -1, 1.5, "ASX", "AS64500x", "", null, {}])(
    "has no number for %p",
    (value) => {
      expect(readAsn(value)).toBeUndefined();
    },
  );
});

describe("readTimestamp", () => {
  test("reads every second in every spelling and with every offset", () => {
    const seconds = fc.integer({ min: 0, max: 4_102_444_799 });
    const offsets = fc.integer({ min: -14, max: 14 });
    fc.assert(
      fc.property(seconds, offsets, (second, offset) => {
        const moment = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
        const local = new Date((second + offset * 3600) * 1000).toISOString().slice(0, 19);
        const zone = `${offset < 0 ? "-" : "+"}${String(Math.abs(offset)).padStart(2, "0")}:00`;
        expect(readTimestamp(moment)).toBe(moment);
        expect(readTimestamp(moment.slice(0, 19).replace("T", " "))).toBe(moment);
        expect(readTimestamp(`${moment.slice(0, 19)}.028000`)).toBe(moment);
        expect(readTimestamp(`${local}${zone}`)).toBe(moment);
        expect(readTimestamp(moment.slice(0, 10))).toBe(`${moment.slice(0, 10)}T00:00:00Z`);
      }),
    );
  });

  test.each([
    "2026-02-31",
    "2026-13-01",
    "2026-10-01T25:00:00Z",
    "yesterday",
    "2026",
    "1790000000",
    "",
    0,
    null,
  ])("refuses %p", (value) => {
    expect(readTimestamp(value)).toBeUndefined();
  });
});

describe("readRoute", () => {
  test.each([
    ["203.0.113.0/24", "203.0.113.0/24"],
    ["203.0.113.9/20", "203.0.112.0/20"],
    ["203.0/24", undefined],
    ["203.0.113.7/32", undefined],
    ["198.51.100.0/24", undefined],
    ["0.0.0.0/0", undefined],
    ["unknown", undefined],
    [null, undefined],
  ])("reads %p as %p", (value, route) => {
    expect(readRoute(value, ADDRESS)).toBe(route);
  });

  test("accepts IPv6 routes up to /48", () => {
    expect(readRoute("2001:db8::/48", ADDRESS6)).toBe("2001:db8::/48");
    expect(readRoute("2001:db8::/49", ADDRESS6)).toBeUndefined();
    expect(readRoute("203.0.113.0/24", ADDRESS6)).toBeUndefined();
  });
});

describe("readTimezone", () => {
  test.each(["Europe/Berlin", "America/Argentina/Ushuaia", "Etc/GMT+5", "UTC"])("accepts %p", (value) => {
    expect(readTimezone(value)).toBe(value);
  });

  test.each(["+02:00", "Europe/Berlin; x", "a/b/c/d", "<b>", "unknown", "", 2])("refuses %p", (value) => {
    expect(readTimezone(value)).toBeUndefined();
  });
});
