import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Address, parsePrefixEnds } from "#address";
import { startsOfBlocks } from "#datasets";
import { readAddress, runs } from "#kit";
import { collectDenied, toPrefixes } from "../../../src/cli/export/deny_ranges.ts";

const ends = (prefixes: readonly string[]) => prefixes.flatMap((text) => parsePrefixEnds(text) ?? []);
const starts = (version: 4 | 6, prefixes: readonly string[]) => [
  startsOfBlocks(version, ends([version === 4 ? "0.0.0.0/0" : "::/0"])),
  startsOfBlocks(version, ends(prefixes)),
];
const numberOf = ({ words }: Address) => words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
const read = (text: string) => numberOf(readAddress(text));

test("collectDenied() judges one address of each segment and joins neighbours", () => {
  const judged: string[] = [];
  const denied = collectDenied(4, starts(4, ["10.0.0.0/24", "10.0.1.0/24", "10.0.3.0/24"]), (address) => {
    judged.push(address.text);
    return { facts: { asn: 64500, asKind: "isp" }, isDenied: address.text.startsWith("10.0.") };
  });
  expect(judged).toEqual(["0.0.0.0", "10.0.0.0", "10.0.1.0", "10.0.2.0", "10.0.3.0", "10.0.4.0"]);
  expect(denied).toMatchObject({ announced: 2n ** 32n, size: denied.collateral });
  expect(denied.ranges).toEqual([{ first: read("10.0.0.0"), last: 2n ** 32n - 1n }]);
});

test("collectDenied() reaches the last address of both families", () => {
  for (const [version, last] of [
    [4, "255.255.255.255"],
    [6, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ] as const) {
    const { ranges } = collectDenied(version, starts(version, [last]), ({ text }) => ({
      facts: {},
      isDenied: text === last,
    }));
    expect([...toPrefixes({ version, ranges })]).toEqual([`${last}/${version === 4 ? 32 : 128}`]);
    const whole = collectDenied(version, starts(version, []), () => ({ facts: {}, isDenied: true }));
    expect([...toPrefixes(whole)]).toEqual([version === 4 ? "0.0.0.0/0" : "::/0"]);
  }
});

test("toPrefixes() covers exactly the range, with the fewest prefixes", () => {
  const bounds = fc.tuple(fc.bigInt({ min: 0n, max: 4095n }), fc.bigInt({ min: 0n, max: 4095n }));
  fc.assert(
    fc.property(bounds, fc.constantFrom(4 as const, 6 as const), ([a, b], version) => {
      const base = version === 4 ? read("198.51.96.0") : read("2001:db8::");
      const [first, last] = a < b ? [base + a, base + b] : [base + b, base + a];
      const blocks = [...toPrefixes({ version, ranges: [{ first, last }] })].map((text) => {
        const found = parsePrefixEnds(text) ?? expect.unreachable(text);
        const [from, to] = [found.first, found.last].map((words) =>
          words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n),
        );
        return { from: from ?? 0n, to: to ?? 0n };
      });
      expect(blocks[0]?.from).toBe(first);
      expect(blocks.at(-1)?.to).toBe(last);
      for (const [at, { from, to }] of blocks.entries()) {
        const next = blocks[at + 1];
        if (next === undefined) continue;
        expect(next.from).toBe(to + 1n);
        // Two neighbours of one size that begin a block of twice the size would be one prefix.
        const size = to - from + 1n;
        const isOne = next.to - next.from + 1n === size && from % (2n * size) === 0n;
        expect(isOne).toBe(false);
      }
    }),
    { numRuns: runs(300) },
  );
});
