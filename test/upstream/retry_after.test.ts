import { describe, expect, test } from "bun:test";
import fc from "fast-check";
// Not exported by the module: only the HTTP client reads the header.
import { parseRetryAfter } from "../../src/upstream/retry_after.ts";
import VALUES from "../fixtures/retry_after.json";

const NOW = Date.UTC(2026, 0, 15, 12);
const HOUR_MS = 3_600_000;

describe("parseRetryAfter", () => {
  test.each(VALUES.read as [string, number][])("reads %p", (text, ms) => {
    expect(parseRetryAfter(text, NOW)).toBe(ms);
  });

  test.each([...VALUES.none, "1".repeat(10_000)])("returns undefined for %p", (text) => {
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
