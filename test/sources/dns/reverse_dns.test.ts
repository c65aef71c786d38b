import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readAddress } from "#kit";
import { UpstreamError } from "#upstream";
import { CRAWLERS, reverseDns } from "../../../src/sources/dns/reverse_dns.ts";
import { readHostName } from "../../../src/sources/read_fields.ts";

const ADDRESS = readAddress("203.0.113.7");

describe("reverseDns", () => {
  test.each(CRAWLERS.map(({ suffix, head, operator }) => [`${head}7${suffix}`, operator] as const))(
    "confirms %s of %s only by its forward answer",
    (name, operator) => {
      expect<unknown>(read([name], [{ name, addresses: ["203.0.113.7"] }])).toEqual({
        flags: { isSearchEngineBot: true },
        authority: ["isSearchEngineBot"],
        reverse: { names: [name], crawler: operator },
      });
      expect<unknown>(read([name], [{ name, addresses: ["203.0.113.8"] }])).toEqual({
        reverse: { names: [name] },
      });
      expect<unknown>(read([name], [])).toEqual({ reverse: { names: [name] } });
      expect(() => read([name], [{ name, addresses: null }])).toThrow(UpstreamError);
    },
  );

  test.each(
    CRAWLERS.flatMap(({ suffix, head }) => [
      `evil${suffix.slice(1)}`,
      `${head}7${suffix}.example.net`,
      suffix.slice(1),
      ...(head === "" ? [] : [`7${suffix}`]),
    ]),
  )("does not classify %s as a crawler", (name) => {
    expect(read([name], [{ name, addresses: ["203.0.113.7"] }])?.flags).toBeUndefined();
  });
});

describe("readHostName", () => {
  test.each([
    ["A.Example.NET.", "a.example.net"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    [`${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`],
    [`${"a".repeat(64)}.example`, undefined],
    [`${"a.".repeat(126)}example`, undefined],
    ["a..example", undefined],
    ["a.example..", undefined],
    ["203.0.113.7", undefined],
    ["localhost", undefined],
    ["a b.example", undefined],
    ["İ.example", undefined],
    ["", undefined],
    [".", undefined],
  ])("reads %p as %p", (text, name) => {
    expect(readHostName(text)).toBe(name as string);
  });

  test("refuses everything that needs escaping", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.domain(), fc.webUrl()), (text) => {
        const name = readHostName(text);
        if (name === undefined) return;
        expect(name).toMatch(/^[a-z0-9.-]{3,253}$/);
        expect(readHostName(name)).toBe(name);
      }),
    );
  });
});

function read(records: readonly string[], forwards: readonly unknown[]) {
  return reverseDns.read({ reverse: { found: true, records }, forwards }, ADDRESS);
}
