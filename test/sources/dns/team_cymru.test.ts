import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readAddress } from "#kit";
import type { Source } from "#sources";
import { teamCymru } from "../../../src/sources/dns/team_cymru.ts";

const SOURCE: Source = teamCymru;
const ADDRESS = readAddress("203.0.113.7");

describe("teamCymru", () => {
  test("gives the same result in any order of the records, and uses the longest prefix", () => {
    const record = fc.record({
      bits: fc.constantFrom(8, 16, 20, 24),
      asns: fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 3 }),
      country: fc.constantFrom("US", "DE", "ZZ"),
    });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 6 }), fc.integer(), (rows, seed) => {
        const block = { 8: "203.0.0.0/8", 16: "203.0.0.0/16", 20: "203.0.112.0/20", 24: "203.0.113.0/24" };
        const records = rows.map(
          ({ bits, asns, country }) =>
            `${asns.join(" ")} | ${block[bits as keyof typeof block]} | ${country} | arin | `,
        );
        const shuffled = records.toSorted((a, b) => (hash(a, seed) < hash(b, seed) ? -1 : 1));
        const observation = read(records);
        expect(read(shuffled)).toEqual(observation);
        const longest = Math.max(...rows.map(({ bits }) => bits));
        const origins = rows.filter(({ bits }) => bits === longest).flatMap(({ asns }) => asns);
        expect(observation?.asn?.route).toBe(block[longest as keyof typeof block]);
        expect(observation?.asn?.asn).toBe(Math.min(...origins));
      }),
    );
  });
});

function read(records: readonly string[], name: string | null = null) {
  return SOURCE.read({ origins: { found: true, records }, name }, ADDRESS);
}

function hash(text: string, seed: number): number {
  return Number(Bun.hash(text, seed) % 1_000_003n);
}
