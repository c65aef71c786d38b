import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  addressFromWords,
  findPublicService,
  findSpecialPurpose,
  isBogon,
  isWithin,
  parseAddress,
  parsePrefix,
} from "#address";
import { readAddress } from "#kit";
import { readTsv } from "#tsv";
import services from "../../src/address/public_services.tsv" with { type: "text" };
import blocks from "../../src/address/special_purpose_blocks.tsv" with { type: "text" };
import names from "../../src/locale/names.json" with { type: "json" };
import TABLES from "../fixtures/address/special_purpose.json" with { type: "json" };
import { runs } from "../kit/runs.ts";
import { numberOf, wordsOf } from "./reference.ts";

const ROWS = readTsv(blocks, ["block", "purpose", "note"]);
const IPV6_ROWS = ROWS.filter(({ block }) => block.includes(":"));
const IPV4_ROWS = ROWS.filter(({ block }) => !block.includes(":"));

/** Block, first and last address and purpose, copied by hand from the registries, so that a wrong prefix length is found. */
const SPECIAL = TABLES.special as [string, string, string, string][];

/** Reachable ranges, ends included. The addresses just outside are in the table above or in another row here. */
const ORDINARY: readonly (readonly [first: string, last: string])[] = TABLES.ordinary as [string, string][];

function valueAt(text: string): { version: 4 | 6; value: bigint } {
  const address = readAddress(text);
  return { version: address.version, value: numberOf(address.words) };
}

const at = (version: 4 | 6, value: bigint) => addressFromWords(version, wordsOf(version, value));

describe("findSpecialPurpose", () => {
  test.each(SPECIAL)("finds for %s (%s to %s): %s", (block, first, last, purpose) => {
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
  });

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

  test("uses every purpose that has a text, and no address is left out of the IPv6 table", () => {
    const used = new Set(ROWS.map(({ purpose }) => purpose));
    used.delete("reachable");
    expect([...used].sort() as string[]).toEqual(Object.keys(names.purposes).sort());
    const blocks = IPV6_ROWS.map(({ block }) => parsePrefix(block));
    for (let top = 0; top < 256; top++) {
      const address = addressFromWords(6, [(top << 24) | 0x00ffffff, 1, 2, 3]);
      expect(
        blocks.some((block) => block !== undefined && block.bits <= 10 && isWithin(address, block)),
      ).toBe(true);
    }
  });
});

const rows = readTsv(services, ["role", "operator", "addresses"]).map(({ addresses, ...row }) => {
  return { ...row, addresses: addresses.split(" ").map((text) => parseAddress(text)) };
});

describe("findPublicService()", () => {
  test("finds the service on every address of the table, and each address is there once", () => {
    const texts = rows.flatMap(({ operator, addresses }) =>
      addresses.map((address) => {
        if (address === undefined) throw new Error(`Cannot parse an address of ${operator}`);
        expect(findPublicService(address)?.operator).toBe(operator);
        return address.text;
      }),
    );
    expect(new Set(texts).size).toBe(texts.length);
    expect(findPublicService({ words: [0x0808_0809] })).toBeUndefined();
  });

  test("has all thirteen root servers in both versions", () => {
    const roots = rows.filter(({ role }) => role === "root_server");
    expect(roots).toHaveLength(13);
    for (const { addresses } of roots)
      expect(addresses.map((address) => address?.version).toSorted()).toEqual([4, 6]);
  });
});
