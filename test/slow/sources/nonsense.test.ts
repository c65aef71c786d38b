import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Address, parseAddress } from "#address";
import { SOURCES, type Source } from "#sources";
import { UpstreamError } from "#upstream";

const ADDRESSES = ["203.0.113.7", "2001:db8::7"].map(parse);

describe("read", () => {
  test.each(SOURCES.map((source) => [source.id, source] as const))(
    "of %s makes nothing of nonsense",
    (_, source) => {
      const deep = Array.from({ length: 500 }).reduce<unknown>((inner) => ({ inner }), {});
      const nonsense = [
        null,
        undefined,
        [],
        "",
        {},
        0,
        true,
        deep,
        [[[]]],
        Symbol.iterator,
        Object.create(null),
      ];
      for (const value of nonsense) expectNothing(source, value);
      fc.assert(
        fc.property(fc.anything(), (value) => expectNothing(source, value)),
        { numRuns: 300 },
      );
    },
  );

  test.each(SOURCES.filter((source) => source.local !== true).map((source) => [source.id, source] as const))(
    "of %s makes nothing of nonsense in the right envelope",
    (_, source) => {
      const inner = fc.anything();
      const envelope = fc.oneof(
        fc.record({ status: fc.constantFrom(200, 404, 429), body: inner, headers: inner, url: inner }),
        fc.record({ found: fc.constant(true), records: inner }),
        fc.record({ found: fc.constant(true), records: fc.array(fc.oneof(fc.string(), inner)) }),
      );
      fc.assert(
        fc.property(envelope, (value) => expectNothing(source, value)),
        { numRuns: 300 },
      );
    },
  );
});

/** Either an {@link UpstreamError} or "nothing to say". */
function expectNothing(source: Source, value: unknown): void {
  for (const address of ADDRESSES) {
    let observation: unknown;
    try {
      observation = source.read(value, address);
    } catch (error) {
      if (error instanceof UpstreamError) continue;
      throw error;
    }
    expect(observation).toBeUndefined();
  }
}

function parse(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`Cannot parse address "${text}"`);
  return address;
}
