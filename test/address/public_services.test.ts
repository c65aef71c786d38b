import { describe, expect, test } from "bun:test";
import { findPublicService, parseAddress } from "#address";
import { readTsv } from "#tsv";
import table from "../../src/address/public_services.tsv" with { type: "text" };

const rows = readTsv(table, ["role", "operator", "addresses"]).map(({ addresses, ...row }) => {
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
