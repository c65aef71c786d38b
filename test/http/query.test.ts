import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readParameters } from "../../src/http/query.ts";

/** Texts of the kind that clients send, with and without what has to be decoded. */
const texts = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc
    .array(
      fc.constantFrom("ip", "lang", "refresh", "8.8.8.8", "2001:db8::1", "=", "&", "%41", "+", "~", "-"),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join("")),
);

describe("readParameters()", () => {
  test.each(["", "ip=8.8.8.8&lang=en", "&&a", "a=b=c", "=x", "a", "a&a=1&a=2", "ip=%38.8.8.8", "ip=a+b"])(
    "reads %p as the standard does",
    (text) => {
      const ours = readParameters(text);
      const theirs = new URLSearchParams(text);
      for (const name of ["ip", "lang", "a", "", "b"]) {
        expect(ours.get(name)).toBe(theirs.get(name));
        expect([...ours.getAll(name)]).toEqual(theirs.getAll(name));
      }
    },
  );

  test("reads whatever is sent as the standard does, every name of it", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const ours = readParameters(text);
        const theirs = new URLSearchParams(text);
        for (const name of new Set([...theirs.keys(), "ip", "lang", "constructor", "__proto__"])) {
          expect(ours.get(name)).toBe(theirs.get(name));
          expect([...ours.getAll(name)]).toEqual(theirs.getAll(name));
        }
        expect(new URLSearchParams(ours.toString()).toString()).toBe(theirs.toString());
      }),
      { numRuns: 2000 },
    );
  });
});
