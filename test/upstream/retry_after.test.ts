import { describe, expect, test } from "bun:test";
import fc from "fast-check";
// Not exported by the module: only the HTTP client reads the header.
import { parseRetryAfter } from "../../src/upstream/retry_after.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const HOUR_MS = 3_600_000;

describe("parseRetryAfter", () => {
  test.each([
    ["0", 0],
    ["1", 1_000],
    [" 120 ", 120_000],
    ["3600", HOUR_MS],
    ["3601", HOUR_MS],
    ["315360000", HOUR_MS],
    ["99999999999999999999999999999999", HOUR_MS],
    ["Thu, 15 Jan 2026 12:00:30 GMT", 30_000],
    ["thu, 15 jan 2026 12:00:30 gmt", 30_000],
    ["Thu, 15 Jan 2015 12:00:30 GMT", 0],
    ["Thu, 15 Jan 9999 12:00:30 GMT", HOUR_MS],
    ["Thursday, 15-Jan-26 12:00:30 GMT", 30_000],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
    ["Thu Jan 15 12:00:30 2026", 30_000],
    ["Sun Nov  6 08:49:37 1994", 0],
  ])("reads %p", (text, ms) => {
    expect(parseRetryAfter(text, NOW)).toBe(ms);
  });

  test.each([
    "",
    "soon",
    "-1",
    "1.5",
    "1e9",
    "+5",
    "0x10",
    "Infinity",
    "NaN",
    "120, 60",
    "Thu, 15 Jan 2026 12:00:30 CET",
    "Thu, 99 Jan 2026 12:00:30 GMT",
    "Thu, 15 Foo 2026 12:00:30 GMT",
    "Thu, 15 Jan 2026 25:00:30 GMT",
    "2026-01-15T12:00:30Z",
    "1".repeat(10_000),
  ])("returns undefined for %p", (text) => {
    expect(parseRetryAfter(text, NOW)).toBeUndefined();
  });

  test("gives 0 to one hour or undefined for every text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[\d ]{0,20}$/), fc.date().map(String)),
        (text) => {
          const ms = parseRetryAfter(text, NOW);
          expect(ms === undefined || (ms >= 0 && ms <= HOUR_MS)).toBe(true);
        },
      ),
    );
  });
});
