import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseIntegerAddress } from "../../src/datasets/seed_tables.ts";
import { toWords } from "./kit.ts";

const words = new Uint32Array(4);

describe("parseIntegerAddress", () => {
  test("gives the words of every 128-bit number", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (value) => {
        expect(parseIntegerAddress(value.toString(), words)).toBe(true);
        expect([...words]).toEqual(toWords(6, value));
      }),
    );
    expect(parseIntegerAddress((2n ** 128n - 1n).toString(), words)).toBe(true);
    expect([...words]).toEqual(new Array<number>(4).fill(0xffff_ffff));
  });

  for (const text of [
    "",
    "-1",
    "1.0",
    "0x10",
    " 1",
    "1e9",
    (2n ** 128n).toString(),
    "9".repeat(39),
    "1".repeat(40),
  ]) {
    test(`refuses "${text}"`, () => {
      expect(parseIntegerAddress(text, words)).toBe(false);
    });
  }

  test("gives the word of an IPv4 address and refuses signs, blanks, exponents and numbers that are too large", () => {
    const word = new Uint32Array(1);
    for (const text of ["0", "4294967295"]) {
      expect(parseIntegerAddress(text, word)).toBe(true);
      expect([...word]).toEqual([Number(text)]);
    }
    for (const text of ["-1", " 1", "1e3", "", "4294967296", "12345678901234567"]) {
      expect(parseIntegerAddress(text, word)).toBe(false);
    }
  });
});
