import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { otx } from "../../../src/sources/live/otx.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();

describe("otx", () => {
  test("counts authors, not lists, needs two authors, and gives no score", () => {
    const authors = fc.array(fc.constantFrom("alice", "bob", "carol"), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(authors, (names) => {
        const pulses = names.map((username, index) => ({
          modified: `2026-0${1 + (index % 9)}-01T00:00:00.5`,
          author: { username },
        }));
        const count = new Set(names).size;
        const last = `2026-0${Math.min(names.length, 9)}-01T00:00:00Z`;
        expect<unknown>(read(pulses)).toEqual(
          count < 2 ? undefined : { abuse: { reports: count, lastSeen: last } },
        );
      }),
    );
  });
});

function read(pulses: readonly object[], more: object = {}) {
  const body = { indicator: "203.0.113.7", pulse_info: { count: pulses.length, pulses }, ...more };
  return otx.read({ status: 200, body }, ADDRESS);
}
