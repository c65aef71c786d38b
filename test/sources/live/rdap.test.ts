import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Address, addressFromWords, isWithin } from "#address";
import { readAddress } from "#kit";
import { UpstreamError } from "#upstream";
import { findRdapService } from "../../../src/sources/live/rdap.ts";
import { findRdapBlock, findRdapHolder } from "../../../src/sources/live/rdap_network.ts";
import PARTS from "../../fixtures/rdap_parts.json";

type Cases<Row> = Readonly<Record<string, readonly Row[]>>;
const { services, blocks, holders } = PARTS as object as {
  readonly services: Cases<readonly [bootstrap: unknown, address: string, expected: unknown]>;
  readonly blocks: Cases<readonly [range: never, address: string, expected: unknown]>;
  readonly holders: Cases<readonly [network: { readonly entities?: readonly unknown[] }, expected: object]>;
};

describe("findRdapService", () => {
  test.each(Object.entries(services))("%s", (_, rows) => {
    for (const [bootstrap, address, expected] of rows)
      expect(orError(() => findRdapService(bootstrap, readAddress(address)))).toEqual(expected);
  });
});

describe("findRdapBlock", () => {
  test("finds the largest block around the address that fits into the range", () => {
    const word = fc.integer({ min: 0, max: 0xffffffff });
    const words = (version: 4 | 6) =>
      version === 4
        ? fc.tuple(word)
        : fc.tuple(word, word, word).map((rest) => [0x20010db8, ...rest] as const);
    const three = fc
      .constantFrom<4 | 6>(4, 6)
      .chain((version) =>
        fc
          .tuple(words(version), words(version), words(version))
          .map((rows) => rows.map((row) => addressFromWords(version, row))),
      );
    fc.assert(
      fc.property(three, (some) => {
        const [start, own, end] = some.sort((a, b) => (numberOf(a) < numberOf(b) ? -1 : 1));
        if (start === undefined || own === undefined || end === undefined || start.text === end.text) return;
        const block = findRdapBlock({ start: start.text, end: end.text, blocks: [] }, own);
        const fits = (bits: number) => {
          const [first, last] = blockOf(own, bits);
          return numberOf(start) <= first && last <= numberOf(end);
        };
        if (block === undefined) throw new Error("no block");
        expect(isWithin(own, block)).toBe(true);
        expect(fits(block.bits)).toBe(true);
        if (block.bits > 0) expect(fits(block.bits - 1)).toBe(false);
      }),
    );
  });

  test.each(Object.entries(blocks))("%s", (_, rows) => {
    for (const [range, address, expected] of rows)
      expect(orError(() => findRdapBlock(range, readAddress(address))?.text)).toEqual(expected);
  });
});

describe("findRdapHolder", () => {
  const named = (entities: readonly unknown[], more: object = {}) =>
    findRdapHolder({ name: "NET", entities, remarks: [], isNameHolder: false, ...more });

  test("never names a person, with any role, depth or handle", () => {
    const person = (handle: string, roles?: readonly string[]) => ({
      handle,
      ...(roles === undefined ? {} : { roles }),
      vcardArray: card("Jane Doe", "individual"),
    });
    for (const roles of [["registrant"], ["abuse", "registrant"], [], undefined]) {
      for (const handle of ["JD1-RIPE", "ORG-JD1-RIPE", ""]) {
        expect(named([person(handle, roles)])).toEqual({ netName: "NET" });
        expect(named([{ handle: "X", entities: [person(handle, roles)] }])).toEqual({ netName: "NET" });
        expect(named([person(handle, roles)], { name: "JANE DOE", isNameHolder: true })).toEqual({});
      }
    }
    const unmarked = { handle: "JD1", roles: ["registrant"], vcardArray: card("Jane Doe") };
    expect(named([unmarked], { remarks: [{ description: ["Jane's flat"] }] })).toEqual({ netName: "NET" });
  });

  test.each(Object.entries(holders))("%s", (_, rows) => {
    for (const [{ entities = [], ...more }, expected] of rows)
      expect(named(entities, more)).toEqual(expected);
  });

  test("stays small on a deep and wide tree", () => {
    const tree = (depth: number): unknown => ({
      handle: "X",
      entities: depth === 0 ? [] : Array.from({ length: 30 }, () => tree(depth - 1)),
    });
    expect(named([tree(3)])).toEqual({ netName: "NET" });
    const endless: { handle: string; entities: unknown[] } = { handle: "X", entities: [] };
    endless.entities.push(endless);
    expect(named([endless])).toEqual({ netName: "NET" });
  });
});

function card(name: string, kind?: string) {
  const properties = [
    ["version", {}, "text", "4.0"],
    ["fn", {}, "text", name],
    ...(kind === undefined ? [] : [["kind", {}, "text", kind]]),
  ];
  return ["vcard", properties];
}

/** The result; null for none, a text for an error. */
function orError(read: () => unknown): unknown {
  try {
    return read() ?? null;
  } catch (error) {
    return error instanceof UpstreamError ? `${error.name}: ${error.message}` : expect.unreachable();
  }
}

function numberOf({ words }: Address): bigint {
  return words.reduce((value, word) => (value << 32n) | BigInt(word), 0n);
}

/** The first and last address of the block of that length around an address. */
function blockOf(address: Address, bits: number): readonly [first: bigint, last: bigint] {
  const host = BigInt(address.words.length * 32 - bits);
  const first = (numberOf(address) >> host) << host;
  return [first, first + (1n << host) - 1n];
}
