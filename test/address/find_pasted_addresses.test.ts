import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findPastedAddresses, parseAddress } from "#address";
import TEXTS from "../fixtures/address/texts.json" with { type: "json" };

const textsOf = (text: string) => findPastedAddresses(text).map((address) => address.text);

/** Returns the address when there is exactly one, as the address field of the page does. */
function findPastedAddress(text: string): string | undefined {
  const [address, another] = textsOf(text);
  return another === undefined ? address : undefined;
}

describe("findPastedAddresses() with a single address", () => {
  test.each(TEXTS.pasted as [string, string][])("finds the address in %j", (text, address) => {
    expect(findPastedAddress(text)).toBe(address);
  });

  test.each([...TEXTS.notPasted, `${" ".repeat(2000)}203.0.113.7`])(
    "finds no address, or more than one, in %j",
    (text) => {
      expect(findPastedAddress(text)).toBeUndefined();
    },
  );

  const address = fc
    .oneof(fc.ipV4(), fc.ipV6())
    .filter((text) => /\d/.test(text) && parseAddress(text) !== undefined);

  test("finds every address that parseAddress() accepts, alone and within other text", () => {
    fc.assert(
      fc.property(
        address,
        fc.constantFrom(
          ["", ""],
          [" ", "\n"],
          ["(", ")"],
          ["[", "]"],
          ["“", "”"],
          ["http://[", "]/"],
          ["是", "吗"],
        ),
        (text, [before, after]) => {
          expect(findPastedAddress(`${before}${text}${after}`)).toBe(parseAddress(text)?.text ?? "");
        },
      ),
    );
  });

  test("finds only addresses that parseAddress() accepts, quickly, in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2500 }), (text) => {
        for (const found of findPastedAddresses(text)) expect(parseAddress(found.text)).toEqual(found);
      }),
    );
    const start = performance.now();
    for (const piece of [":", ".", "1", "1.", "a:", "[.]", "::1 "])
      findPastedAddresses(piece.repeat(2000 / piece.length));
    expect(performance.now() - start).toBeLessThan(200);
  });
});

describe("findPastedAddresses()", () => {
  test("keeps the order and drops repetitions", () => {
    expect(textsOf("203.0.113.7, 2001:db8::1\n203.0.113.8;203.0.113.7")).toEqual([
      "203.0.113.7",
      "2001:db8::1",
      "203.0.113.8",
    ]);
  });
});
