import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addressFromWords, isWithin, type Prefix, parseLoosePrefix, parsePrefix, subnet64 } from "#address";
import { readAddress } from "#kit";
import PREFIXES from "../fixtures/address/prefixes.json";
import { runs } from "../kit/runs.ts";
import { numberOf, wordsOf } from "./reference.ts";

function prefix(text: string): Prefix {
  const parsed = parsePrefix(text);
  if (parsed === undefined) throw new Error(`Cannot parse prefix "${text}"`);
  return parsed;
}

const block = fc.oneof(
  fc.record({ version: fc.constant(4 as const), value: fc.bigInt(0n, 2n ** 32n - 1n), bits: fc.nat(32) }),
  // The top bit keeps it out of ::ffff:0:0/96, which has its own test.
  fc.record({
    version: fc.constant(6 as const),
    value: fc.bigInt(2n ** 127n, 2n ** 128n - 1n),
    bits: fc.nat(128),
  }),
);

describe("parsePrefix", () => {
  test.each(PREFIXES.accepted as [string, string, number][])("reads %s as %s", (input, text, bits) => {
    const parsed = parsePrefix(input);
    expect(parsed?.text).toBe(text);
    expect(parsed?.bits).toBe(bits);
    expect(parsed?.address).toEqual(readAddress(text.slice(0, text.indexOf("/"))));
    expect(parseLoosePrefix(input)).toEqual(parsed);
  });

  // biome-ignore format: a table of short strings
  test.each([
    "", "/", "/24", "198.51.100.0/", "198.51.100.0/33", "198.51.100.0/-1", "198.51.100.0/+8", "198.51.100.0/024", "198.51.100.0/00", "198.51.100.0/2 4",
    " 198.51.100.0/24", "198.51.100.0/24 ", "198.51.100.0 /24", "198.51.100.0/ 24", "198.51.100.0/24/24", "198.51.100.0//24", "198.51.100.0/255.255.255.0",
    "198.51.100/24", "198.51.100.0/0x18", "198.51.100.0/1e1", "198.51.100.0/24.0", "[2001:db8::]/32", "[2001:db8::1]", "2001:db8::/129", "2001:db8::/999",
    "2001:db8::/1000", "2001:db8::%1/32", "2001:db8:/32", "::/0128", `::/${"0".repeat(100_000)}`, "198.51.100.0/٢٤",
  ])("parsePrefix and parseLoosePrefix refuse %j", (input) => {
    expect(parsePrefix(input)).toBeUndefined();
    expect(parseLoosePrefix(input)).toBeUndefined();
  });

  test.each(PREFIXES.loose as [string, string][])(
    "refuses the host bits of %s, which parseLoosePrefix clears to %s",
    (input, text) => {
      expect(parsePrefix(input)).toBeUndefined();
      expect(parseLoosePrefix(input)?.text).toBe(text);
      expect(parseLoosePrefix(input)).toEqual(prefix(text));
    },
  );

  test("clears exactly the bits after the length", () => {
    fc.assert(
      fc.property(block, ({ version, value, bits }) => {
        const size = version === 4 ? 32n : 128n;
        const first = (value >> (size - BigInt(bits))) << (size - BigInt(bits));
        fc.pre(version === 4 || bits > 0);
        const text = addressFromWords(version, wordsOf(version, value)).text;
        const loose = parseLoosePrefix(`${text}/${bits}`);
        expect(loose && numberOf(loose.address.words)).toBe(first);
        expect(loose?.bits).toBe(bits);
        expect(parsePrefix(`${text}/${bits}`)).toEqual(first === value ? loose : undefined);
        expect(parsePrefix(loose?.text ?? "")).toEqual(loose);
      }),
      { numRuns: runs(10_000) },
    );
  });
});

describe("isWithin", () => {
  test("includes the first and last address of a block, and not their neighbours", () => {
    fc.assert(
      fc.property(block, ({ version, value, bits }) => {
        const size = version === 4 ? 32n : 128n;
        const host = size - BigInt(bits);
        const first = (value >> host) << host;
        const last = first + (1n << host) - 1n;
        const parsed = parseLoosePrefix(`${addressFromWords(version, wordsOf(version, value)).text}/${bits}`);
        if (parsed === undefined) throw new Error("unreachable");
        const at = (where: bigint) => isWithin(addressFromWords(version, wordsOf(version, where)), parsed);
        expect(at(first)).toBe(true);
        expect(at(value)).toBe(true);
        if (last >> 32n !== 0xffffn) expect(at(last)).toBe(true);
        if (first > 0n) expect(at(first - 1n)).toBe(false);
        if (last < (1n << size) - 1n) expect(at(last + 1n)).toBe(false);
      }),
      { numRuns: runs(10_000) },
    );
  });

  test("is false when the versions differ", () => {
    expect(isWithin(readAddress("198.51.100.7"), prefix("::/0"))).toBe(false);
    expect(isWithin(readAddress("2001:db8::1"), prefix("0.0.0.0/0"))).toBe(false);
    expect(isWithin(readAddress("::ffff:198.51.100.7"), prefix("198.51.100.0/24"))).toBe(true);
    expect(isWithin(readAddress("198.51.100.7"), prefix("::ffff:0:0/96"))).toBe(true);
  });
});

describe("subnet64", () => {
  test("is the /64 of an IPv6 address and the /32 of an IPv4 address", () => {
    expect(subnet64(readAddress("2001:db8:1:2:ffff:ffff:ffff:ffff"))).toEqual(prefix("2001:db8:1:2::/64"));
    expect(subnet64(readAddress("::1"))).toEqual(prefix("::/64"));
    expect(subnet64(readAddress("198.51.100.7"))).toEqual(prefix("198.51.100.7/32"));
    expect(subnet64(readAddress("::ffff:198.51.100.7"))).toEqual(prefix("198.51.100.7/32"));
  });
});
