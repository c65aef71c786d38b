import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  addressFromWords,
  findSpecialPurpose,
  isBogon,
  isWithin,
  PURPOSE_IDS,
  parseAddress,
  parsePrefix,
} from "#address";
import { readTsv } from "#tsv";
import table from "../../src/address/special_purpose_blocks.tsv" with { type: "text" };
import { runs } from "../kit/runs.ts";
import { numberOf, wordsOf } from "./reference.ts";

const ROWS = readTsv(table, ["block", "purpose", "note"]);
const IPV6_ROWS = ROWS.filter(({ block }) => block.includes(":"));
const IPV4_ROWS = ROWS.filter(({ block }) => !block.includes(":"));

type Row = readonly [block: string, first: string, last: string, purpose: string];

/** First and last addresses, copied by hand from the registries, so that a wrong prefix length is found. */
const SPECIAL: readonly Row[] = [
  ["0.0.0.0/32", "0.0.0.0", "0.0.0.0", "unspecified"],
  ["0.0.0.0/8", "0.0.0.1", "0.255.255.255", "this_network"],
  ["10.0.0.0/8", "10.0.0.0", "10.255.255.255", "private_use"],
  ["100.64.0.0/10", "100.64.0.0", "100.127.255.255", "shared_address_space"],
  ["127.0.0.0/8", "127.0.0.0", "127.255.255.255", "loopback"],
  ["169.254.0.0/16", "169.254.0.0", "169.254.255.255", "link_local"],
  ["172.16.0.0/12", "172.16.0.0", "172.31.255.255", "private_use"],
  ["192.0.0.0/29", "192.0.0.0", "192.0.0.7", "translation"],
  ["192.0.0.8/32", "192.0.0.8", "192.0.0.8", "dummy"],
  ["192.0.0.0/24", "192.0.0.11", "192.0.0.169", "protocol_assignments"],
  ["192.0.0.170/31", "192.0.0.170", "192.0.0.171", "translation"],
  ["192.0.0.0/24", "192.0.0.172", "192.0.0.255", "protocol_assignments"],
  ["192.0.2.0/24", "192.0.2.0", "192.0.2.255", "documentation"],
  ["192.88.99.0/24", "192.88.99.0", "192.88.99.255", "six_to_four"],
  ["192.168.0.0/16", "192.168.0.0", "192.168.255.255", "private_use"],
  ["198.18.0.0/15", "198.18.0.0", "198.19.255.255", "benchmarking"],
  ["198.51.100.0/24", "198.51.100.0", "198.51.100.255", "documentation"],
  ["203.0.113.0/24", "203.0.113.0", "203.0.113.255", "documentation"],
  ["224.0.0.0/4", "224.0.0.0", "239.255.255.255", "multicast"],
  ["240.0.0.0/4", "240.0.0.0", "255.255.255.254", "reserved"],
  ["255.255.255.255/32", "255.255.255.255", "255.255.255.255", "broadcast"],
  ["::/128", "::", "::", "unspecified"],
  ["::1/128", "::1", "::1", "loopback"],
  ["::/96", "::2", "::ffff:ffff", "ipv4_compatible"],
  ["::/8", "::1:0:0", "::fffe:ffff:ffff", "reserved"],
  ["::/8", "::1:0:0:0", "64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["::/8", "64:ff9b::1:0:0", "64:ff9b:0:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["64:ff9b:1::/48", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "translation"],
  ["::/8", "64:ff9b:2::", "ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["100::/64", "100::", "100::ffff:ffff:ffff:ffff", "discard_only"],
  ["100:0:0:1::/64", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", "dummy"],
  ["100::/8", "100:0:0:2::", "1ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["200::/7", "200::", "3ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["400::/6", "400::", "7ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["800::/5", "800::", "fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["1000::/4", "1000::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["2000::/16", "2000::", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2001::/32", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", "teredo"],
  ["2001::/23", "2001:1::", "2001:1::", "protocol_assignments"],
  ["2001::/23", "2001:1::4", "2001:1:ffff:ffff:ffff:ffff:ffff:ffff", "protocol_assignments"],
  ["2001:2::/48", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", "benchmarking"],
  ["2001::/23", "2001:2:1::", "2001:2:ffff:ffff:ffff:ffff:ffff:ffff", "protocol_assignments"],
  ["2001::/23", "2001:4::", "2001:4:111:ffff:ffff:ffff:ffff:ffff", "protocol_assignments"],
  ["2001::/23", "2001:4:113::", "2001:f:ffff:ffff:ffff:ffff:ffff:ffff", "protocol_assignments"],
  ["2001:10::/28", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", "orchid"],
  ["2001::/23", "2001:40::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "protocol_assignments"],
  ["2001:db8::/32", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
  ["2001:1000::/23", "2001:1000::", "2001:11ff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2001:4e00::/23", "2001:4e00::", "2001:4fff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2001:6000::/19", "2001:6000::", "2001:7fff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2001:c000::/18", "2001:c000::", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2002::/16", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "six_to_four"],
  ["2003:4000::/18", "2003:4000::", "2003:7fff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2004::/14", "2004::", "2007:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2420::/11", "2420::", "243f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2610:200::/23", "2610:200::", "2610:3ff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2620:200::/23", "2620:200::", "2620:3ff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2640::/10", "2640::", "267f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2810::/12", "2810::", "281f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2a20::/11", "2a20::", "2a3f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2c10::/12", "2c10::", "2c1f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["2d00::/8", "2d00::", "2dff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["3000::/5", "3000::", "37ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["3ffe::/16", "3ffe::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["3fff::/20", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
  ["3fff:8000::/17", "3fff:8000::", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unallocated"],
  ["4000::/3", "4000::", "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["5f00::/16", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "segment_routing"],
  ["4000::/3", "5f01::", "5fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["6000::/3", "6000::", "7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["8000::/3", "8000::", "9fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["a000::/3", "a000::", "bfff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["c000::/3", "c000::", "dfff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["e000::/4", "e000::", "efff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["f000::/5", "f000::", "f7ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["f800::/6", "f800::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["fc00::/7", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unique_local"],
  ["fe00::/9", "fe00::", "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
  ["fe80::/10", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "link_local"],
  ["fec0::/10", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "site_local"],
  ["ff00::/8", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast"],
];

/** Reachable ranges, ends included. The addresses just outside are in the table above or in another row here. */
const ORDINARY: readonly (readonly [first: string, last: string])[] = [
  ["1.0.0.0", "9.255.255.255"],
  ["11.0.0.0", "100.63.255.255"],
  ["100.128.0.0", "126.255.255.255"],
  ["128.0.0.0", "169.253.255.255"],
  ["169.255.0.0", "172.15.255.255"],
  ["172.32.0.0", "191.255.255.255"],
  ["192.0.0.9", "192.0.0.10"],
  ["192.0.1.0", "192.0.1.255"],
  ["192.0.3.0", "192.88.98.255"], // with AS112 and AMT inside
  ["192.31.196.0", "192.31.196.255"],
  ["192.52.193.0", "192.52.193.255"],
  ["192.88.100.0", "192.167.255.255"],
  ["192.169.0.0", "198.17.255.255"], // with AS112 inside
  ["192.175.48.0", "192.175.48.255"],
  ["198.20.0.0", "198.51.99.255"],
  ["198.51.101.0", "203.0.112.255"],
  ["203.0.114.0", "223.255.255.255"],
  ["64:ff9b::", "64:ff9b::ffff:ffff"],
  ["2001:1::1", "2001:1::3"],
  ["2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff"],
  ["2001:20::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:200::", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db9::", "2001:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:1200::", "2001:4dff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:5000::", "2001:5fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:8000::", "2001:bfff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2003::", "2003:3fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2400::", "241f:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2600::", "2610:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2620::", "2620:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"],
  ["2630::", "263f:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2800::", "280f:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2a00::", "2a1f:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2c00::", "2c0f:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

function valueAt(text: string): { version: 4 | 6; value: bigint } {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`Cannot parse address "${text}"`);
  return { version: address.version, value: numberOf(address.words) };
}

const at = (version: 4 | 6, value: bigint) => addressFromWords(version, wordsOf(version, value));

describe("findSpecialPurpose", () => {
  test.each(SPECIAL.map((row) => [...row] as [string, string, string, string]))(
    "finds for %s (%s to %s): %s",
    (block, first, last, purpose) => {
      const from = valueAt(first);
      const to = valueAt(last);
      for (const value of [from.value, (from.value + to.value) / 2n, to.value]) {
        const found = findSpecialPurpose(at(from.version, value));
        expect(found?.purpose as string).toBe(purpose);
        const around = parsePrefix(found?.block ?? "");
        expect(around !== undefined && isWithin(at(from.version, value), around)).toBe(true);
      }
      expect(findSpecialPurpose(at(from.version, from.value))?.block).toBe(block);
      expect(isBogon(at(from.version, from.value))).toBe(true);
    },
  );

  test.each(ORDINARY.map((row) => [...row] as [string, string]))(
    "finds no special purpose for %s to %s",
    (first, last) => {
      const from = valueAt(first);
      const to = valueAt(last);
      for (const value of [from.value, (from.value + to.value) / 2n, to.value]) {
        expect(findSpecialPurpose(at(from.version, value))).toBeUndefined();
        expect(isBogon(at(from.version, value))).toBe(false);
      }
    },
  );

  test.each([4, 6] as const)("has a tested address on both sides of every border (IPv%d)", (version) => {
    const stretches = [...SPECIAL.map((row) => [row[1], row[2]]), ...ORDINARY]
      .map(([first, last]) => ({ first: valueAt(first ?? ""), last: valueAt(last ?? "") }))
      .filter(({ first }) => first.version === version);
    const verdict = (value: bigint) => findSpecialPurpose(at(version, value))?.purpose;
    const size = version === 4 ? 32n : 128n;
    for (const { block } of version === 4 ? IPV4_ROWS : IPV6_ROWS) {
      const prefix = parsePrefix(block);
      if (prefix === undefined) throw new Error(`Cannot parse prefix "${block}"`);
      const first = numberOf(prefix.address.words);
      const last = first + (1n << (size - BigInt(prefix.bits))) - 1n;
      const borders: readonly [bigint, bigint][] = [
        [first, first - 1n],
        [last, last + 1n],
      ];
      for (const [inside, outside] of borders) {
        if (outside < 0n || outside >> size !== 0n || outside >> 32n === 0xffffn) continue;
        if (verdict(inside) === verdict(outside)) continue;
        // The result changes here, so a range of the tables above must end exactly here, on at least one side.
        const known = stretches.some(
          (s) =>
            [s.first.value, s.last.value].includes(inside) || [s.first.value, s.last.value].includes(outside),
        );
        expect([block, known]).toEqual([block, true]);
      }
    }
  });

  test("gives a mapped address the purpose of its IPv4 address", () => {
    expect(findSpecialPurpose(addressFromWords(6, [0, 0, 0xffff, 0x0a000001]))?.purpose).toBe("private_use");
    expect(findSpecialPurpose(addressFromWords(6, [0, 0, 0xffff, 0x08080808]))).toBeUndefined();
  });

  test("agrees with a plain search of the rows, and its block contains no ordinary address", () => {
    const rows = ROWS.map(({ block, purpose }) => {
      const prefix = parsePrefix(block);
      if (prefix === undefined) throw new Error(`Cannot parse prefix "${block}"`);
      return { prefix, purpose };
    });
    const anywhere = fc.oneof(
      fc.nat(0xffffffff).map((word) => addressFromWords(4, [word])),
      fc.tuple(fc.nat(0xffffffff), fc.nat(0xffffffff)).map(([a, b]) => addressFromWords(6, [a, b, 0, 1])),
      // Half of the samples are near a block of the table.
      fc
        .tuple(fc.constantFrom(...rows), fc.integer({ min: -3, max: 3 }), fc.boolean())
        .map(([row, offset, end]) => {
          const { version } = row.prefix.address;
          const size = version === 4 ? 32n : 128n;
          const span = (1n << (size - BigInt(row.prefix.bits))) - 1n;
          const value = numberOf(row.prefix.address.words) + (end ? span : 0n) + BigInt(offset);
          return at(version, BigInt.asUintN(Number(size), value));
        }),
    );
    fc.assert(
      fc.property(anywhere, (address) => {
        const best = rows
          .filter((row) => isWithin(address, row.prefix))
          .reduce<(typeof rows)[number] | undefined>(
            (a, b) => (a && a.prefix.bits > b.prefix.bits ? a : b),
            undefined,
          );
        const wanted = best === undefined || best.purpose === "reachable" ? undefined : best.purpose;
        const found = findSpecialPurpose(address);
        expect(found?.purpose).toBe(
          wanted as typeof found extends undefined ? never : NonNullable<typeof found>["purpose"],
        );
        if (found?.purpose !== "unallocated") return;
        const block = parsePrefix(found.block);
        expect(block !== undefined && isWithin(address, block)).toBe(true);
        expect(rows.some((row) => row.prefix.bits > 3 && block && isWithin(row.prefix.address, block))).toBe(
          false,
        );
      }),
      { numRuns: runs(20_000) },
    );
  });

  test("uses every purpose id, and no address is left out of the IPv6 table", () => {
    const used = new Set(ROWS.map(({ purpose }) => purpose));
    used.delete("reachable");
    expect([...used].sort() as string[]).toEqual([...PURPOSE_IDS].sort());
    const blocks = IPV6_ROWS.map(({ block }) => parsePrefix(block));
    for (let top = 0; top < 256; top++) {
      const address = addressFromWords(6, [(top << 24) | 0x00ffffff, 1, 2, 3]);
      expect(
        blocks.some((block) => block !== undefined && block.bits <= 10 && isWithin(address, block)),
      ).toBe(true);
    }
  });
});
