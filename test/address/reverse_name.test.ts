import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addressFromWords, reverseLabels, reversePointer } from "#address";
import { numberOf } from "./reference.ts";

const words = (count: number) => fc.array(fc.nat(0xffffffff), { minLength: count, maxLength: count });

describe("reverseLabels", () => {
  test("turns an IPv4 address round", () => {
    expect(reverseLabels(addressFromWords(4, [0xc0000201]))).toBe("1.2.0.192");
    fc.assert(
      fc.property(words(1), (given) => {
        const address = addressFromWords(4, given);
        expect(reverseLabels(address)).toBe(address.text.split(".").reverse().join("."));
      }),
      { numRuns: 10_000 },
    );
  });

  test("writes an IPv6 address as 32 reversed digits (the example of RFC 3596 section 2.5)", () => {
    // 4321:0:1:2:3:4:567:89ab
    const address = addressFromWords(6, [0x43210000, 0x00010002, 0x00030004, 0x056789ab]);
    expect(reversePointer(address)).toBe(
      "b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa",
    );
    fc.assert(
      fc.property(words(4), (given) => {
        const all = addressFromWords(6, given);
        fc.pre(all.version === 6);
        const hex = numberOf(all.words).toString(16).padStart(32, "0");
        expect(reverseLabels(all)).toBe([...hex].reverse().join("."));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe("reversePointer", () => {
  test("names the PTR record in the zone of the family", () => {
    expect(reversePointer(addressFromWords(4, [0xc0000201]))).toBe("1.2.0.192.in-addr.arpa");
    expect(reversePointer(addressFromWords(6, [0, 0, 0, 1]))).toBe(`1.${"0.".repeat(31)}ip6.arpa`);
    expect(reversePointer(addressFromWords(6, [0, 0, 0xffff, 0xc0000201]))).toBe("1.2.0.192.in-addr.arpa");
  });
});
