import { describe, expect, test } from "bun:test";
import { findSpecialPurpose, isWithin, parseAddress, parsePrefix } from "#address";
import { readTsv } from "#tsv";
import { findOwnBlocks } from "../../src/evidence/network.ts";
import table from "../../src/evidence/tables/own_blocks.tsv" with { type: "text" };

function find(text: string, asn?: number) {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`Cannot parse "${text}"`);
  return findOwnBlocks(address, asn);
}

describe("findOwnBlocks()", () => {
  test("finds the first and last address of a block of a cloud, and not the addresses beside them", () => {
    for (const text of [
      "44.192.0.0",
      "44.255.255.255",
      "2001:41d0::",
      "2001:41d0:ffff:ffff:ffff:ffff:ffff:ffff",
    ])
      expect(find(text), text).toEqual({ isCloud: true, isMobile: false });
    for (const text of ["44.191.255.255", "45.0.0.0", "2001:41d1::"])
      expect(find(text), text).toEqual({ isCloud: false, isMobile: false });
  });

  test("does not confuse IPv4 and IPv6 blocks that begin with the same bits", () => {
    expect(find("34.64.0.1").isCloud).toBe(true);
    expect(find("2240:1::1").isCloud).toBe(false);
  });

  test("knows blocks of phones only in the network of their operator", () => {
    expect(find("31.94.0.1", 2856)).toEqual({ isCloud: false, isMobile: true });
    for (const [text, asn] of [
      ["31.94.0.1", 8075],
      ["86.128.0.1", 2856],
      ["2001:db8::1", 2856],
    ] as const)
      expect(find(text, asn).isMobile).toBe(false);
    expect(find("31.94.0.1").isMobile).toBe(false);
  });

  test("has only public prefixes, and none inside another", () => {
    const rows = readTsv(table, ["kind", "operator", "asn", "blocks"]);
    for (const { kind, asn } of rows) expect(asn).toMatch(kind === "cloud" ? /^$/ : /^\d+$/);
    const prefixes = rows.flatMap(({ blocks }) => blocks.split(" ").map((text) => parsePrefix(text)!));
    for (const { address, text } of prefixes) {
      expect(findSpecialPurpose(address)).toBeUndefined();
      const outer = prefixes.filter((other) => other.text !== text && isWithin(address, other));
      expect(outer.map((other) => `${text} in ${other.text}`)).toEqual([]);
    }
    expect(new Set(prefixes.map(({ text }) => text)).size).toBe(prefixes.length);
  });
});
