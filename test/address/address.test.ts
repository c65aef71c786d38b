import { describe, expect, test } from "bun:test";
import { isIP, isIPv6 } from "node:net";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { type Address, addressFromWords, parseAddress, reverseLabels, reversePointer } from "#address";
import SPELLINGS from "../fixtures/address/spellings.json" with { type: "json" };
import { runs } from "../kit/runs.ts";
import { numberOf, referenceParse, referencePrint, wordsOf } from "./reference.ts";

const RUNS = runs(20_000);

const ACCEPTED = SPELLINGS.accepted as [input: string, text: string][];

const REJECTED: readonly string[] = [
  ...Object.values(SPELLINGS.rejected).flat(),
  "1".repeat(1_000_000),
  `::${" ".repeat(1_000_000)}`,
  `[${":".repeat(100_000)}]`,
];

/** Texts that resemble addresses: joined pieces of addresses, so that many of them are valid. */
const pieces = fc.oneof(
  fc.constantFrom(...SPELLINGS.pieces),
  fc.integer({ min: 0, max: 0xffff }).map((group) => group.toString(16)),
  fc.integer({ min: 0, max: 300 }).map(String),
);
const nearMiss = fc.array(pieces, { maxLength: 17 }).map((parts) => parts.join(""));
const group = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom("0", "0000", "ffff", "FfFf") },
  fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16)),
  fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16).toUpperCase().padStart(4, "0")),
);
const tail = fc.oneof(
  fc.ipV4(),
  fc.tuple(group, group).map((pair) => pair.join(":")),
);
const spelled = fc
  .record({
    groups: fc.array(group, { minLength: 6, maxLength: 6 }),
    tail,
    from: fc.nat(8),
    length: fc.nat(8),
  })
  .map(({ groups, tail, from, length }) => {
    const all = [...groups, ...(tail.includes(".") ? [tail] : tail.split(":"))];
    if (length === 0 || from + length > 6) return all.join(":");
    return `${all.slice(0, from).join(":")}::${all.slice(from + length).join(":")}`;
  });
const value6 = fc
  .array(fc.oneof(fc.constant(0), fc.constant(0xffff), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.reduce((sum, part) => (sum << 16n) | BigInt(part), 0n));

function seen(address: Address | undefined) {
  return address === undefined
    ? undefined
    : { version: address.version, value: numberOf(address.words), text: address.text };
}

describe("parseAddress", () => {
  test.each(ACCEPTED)("reads %j as %s", (input, text) => {
    const address = parseAddress(input);
    expect(address?.text).toBe(text);
    expect(address?.version).toBe(text.includes(":") ? 6 : 4);
    expect(address?.words).toHaveLength(text.includes(":") ? 4 : 1);
  });

  test.each(
    REJECTED.map((input) => [input.length > 60 ? `${input.slice(0, 20)}… (${input.length})` : input, input]),
  )("refuses %j", (_label, input) => {
    expect(parseAddress(input)).toBeUndefined();
  });

  test("gives unsigned words, most significant first", () => {
    expect(parseAddress("255.0.2.1")?.words).toEqual([0xff000201]);
    expect(parseAddress("ffff:1:8000:2::ffff:fffe")?.words).toEqual([0xffff0001, 0x80000002, 0, 0xfffffffe]);
    expect(parseAddress("2001:DB8::1")?.words).toEqual([0x20010db8, 0, 0, 1]);
  });

  test("does not keep words of the previous address", () => {
    const first = parseAddress("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
    const second = parseAddress("2001:db8::");
    expect(first?.words).toEqual([0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]);
    expect(second?.words).toEqual([0x20010db8, 0, 0, 0]);
    expect(parseAddress("::")?.words).toEqual([0, 0, 0, 0]);
  });

  test("agrees with the reference on near misses", () => {
    fc.assert(
      fc.property(nearMiss, (input) => {
        expect(seen(parseAddress(input))).toEqual(referenceParse(input));
      }),
      { numRuns: RUNS },
    );
  });

  test("agrees with the reference and node:net on every spelling of IPv6", () => {
    let mapped = 0;
    fc.assert(
      fc.property(spelled, fc.boolean(), (spelling, bracketed) => {
        expect(isIPv6(spelling)).toBe(true);
        const address = parseAddress(bracketed ? `[${spelling}]` : spelling);
        expect(seen(address)).toEqual(referenceParse(spelling));
        if (address?.version === 4) mapped++;
        // WebKit's URL parser refuses some dotted tails that inet_pton accepts.
        else if (!spelling.includes("."))
          expect(`[${address?.text}]`).toBe(new URL(`http://[${spelling}]/`).host);
      }),
      { numRuns: RUNS },
    );
    expect(mapped).toBeGreaterThan(0);
  });

  test("accepts and refuses the same texts as node:net, except zone ids and brackets", () => {
    fc.assert(
      fc.property(nearMiss, (input) => {
        fc.pre(!input.includes("%") && !input.includes("["));
        expect(parseAddress(input) !== undefined).toBe(isIP(input) !== 0);
      }),
      { numRuns: RUNS },
    );
  });

  test("never throws and refuses arbitrary text as the reference does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (input) => {
        expect(seen(parseAddress(input))).toEqual(referenceParse(input));
      }),
      { numRuns: RUNS },
    );
  });

  test("parses its own text to the same text", () => {
    fc.assert(
      fc.property(value6, (value) => {
        const address = addressFromWords(6, wordsOf(6, value));
        expect(parseAddress(address.text)).toEqual(address);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("addressFromWords", () => {
  test("prints IPv4 as the reference does", () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), (word) => {
        const address = addressFromWords(4, [word]);
        expect(seen(address)).toEqual(referencePrint(4, BigInt(word)));
        expect(parseAddress(address.text)).toEqual(address);
      }),
      { numRuns: RUNS },
    );
  });

  test("prints IPv6 as the reference and ipaddr.js do", () => {
    fc.assert(
      fc.property(value6, (value) => {
        fc.pre(value >> 32n !== 0xffffn);
        const address = addressFromWords(6, wordsOf(6, value));
        expect(seen(address)).toEqual(referencePrint(6, value));
        const bytes = wordsOf(6, value).flatMap((word) =>
          [24, 16, 8, 0].map((shift) => (word >>> shift) & 255),
        );
        expect(address.text).toBe(new ipaddr.IPv6(bytes).toRFC5952String());
      }),
      { numRuns: RUNS },
    );
  });

  test("folds a mapped address to IPv4", () => {
    expect(addressFromWords(6, [0, 0, 0xffff, 0xc0000201])).toEqual({
      text: "192.0.2.1",
      version: 4,
      words: [0xc0000201],
    });
    expect(addressFromWords(6, [0, 0, 0, 0xc0000201]).text).toBe("::c000:201");
  });

  test("reads signed words as unsigned", () => {
    expect(addressFromWords(4, [-1])).toEqual({ text: "255.255.255.255", version: 4, words: [0xffffffff] });
  });

  test("throws when the number of words does not fit", () => {
    expect(() => addressFromWords(4, [1, 2])).toThrow(RangeError);
    expect(() => addressFromWords(6, [1])).toThrow("Cannot build an IPv6 address from 1 words");
  });
});

const words = (count: number) => fc.array(fc.nat(0xffffffff), { minLength: count, maxLength: count });

describe("reverseLabels", () => {
  test("reverses an IPv4 address", () => {
    expect(reverseLabels(addressFromWords(4, [0xc0000201]))).toBe("1.2.0.192");
    fc.assert(
      fc.property(words(1), (given) => {
        const address = addressFromWords(4, given);
        expect(reverseLabels(address)).toBe(address.text.split(".").reverse().join("."));
      }),
      { numRuns: runs(10_000) },
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
      { numRuns: runs(10_000) },
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
