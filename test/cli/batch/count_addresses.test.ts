import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { readAddress } from "#kit";
import { createAddressCounts } from "../../../src/cli/batch/count_addresses.ts";

const parse = (text: string) => readAddress(text);

describe("createAddressCounts", () => {
  test("counts as a map does, the most frequent first, then the one that came first", () => {
    const pool = fc.constantFrom(
      "192.0.2.1",
      "192.0.2.2",
      "0.0.0.0",
      "::",
      "2001:db8::1",
      "::192.0.2.1",
      "2001:db8::c000:201",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pool, fc.ipV4(), fc.ipV6()), { maxLength: 200 }), (texts) => {
        const addresses = texts.flatMap((text) => parseAddress(text) ?? []);
        const counts = createAddressCounts();
        const expected = new Map<string, number>();
        for (const address of addresses) {
          expect(counts.add(address)).toBe(true);
          expected.set(address.text, (expected.get(address.text) ?? 0) + 1);
        }
        const entries = [...counts.entries()].map(({ address, count }) => [address.text, count] as const);
        expect(entries).toEqual([...expected].toSorted(([, a], [, b]) => b - a));
        expect(counts.size()).toBe(expected.size);
      }),
    );
  });

  test("grows, and keeps every count", () => {
    const counts = createAddressCounts();
    const many = 20_000;
    for (let turn = 0; turn < 2; turn++) {
      for (let at = 0; at < many; at++) counts.add(parse(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`));
    }
    let entries = 0;
    for (const { address, count } of counts.entries()) {
      expect(count).toBe(2);
      expect(address.words[0]).toBe(0x0a000000 + entries);
      entries += 1;
    }
    expect(entries).toBe(many);
  });

  test("refuses a new address when all places are taken, and still counts the known ones", () => {
    const counts = createAddressCounts(4);
    for (let at = 0; at < 4; at++) expect(counts.add(parse(`192.0.2.${at}`))).toBe(true);
    expect(counts.add(parse("192.0.2.9"))).toBe(false);
    expect(counts.add(parse("192.0.2.3"))).toBe(true);
    expect([...counts.entries()].map(({ count }) => count)).toEqual([2, 1, 1, 1]);
  });
});
