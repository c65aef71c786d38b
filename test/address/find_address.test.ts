import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findAddress, findPastedAddresses, parseAddress } from "#address";
import { readAddress } from "#kit";
import TEXTS from "../fixtures/address/texts.json" with { type: "json" };

/** All addresses of a text. */
function findAll(text: string): readonly string[] {
  const found: string[] = [];
  for (let next = findAddress(text); next !== undefined; next = findAddress(text, next.end)) {
    found.push(next.address.text);
  }
  return found;
}

describe("findAddress", () => {
  test.each(TEXTS.found as [string, string][])("finds the first address of %j", (text, address) => {
    expect(findAddress(text)?.address).toEqual(readAddress(address));
  });

  test.each([...TEXTS.notFound, `${"a".repeat(250)}:192.0.2.1`])("finds none in %j", (text) => {
    expect(findAll(text)).toEqual([]);
  });

  const address = fc
    .oneof(fc.ipV4(), fc.ipV6())
    .filter((text) => /\d/.test(text) && parseAddress(text) !== undefined);
  const separators = fc.string({
    unit: fc.constantFrom(..." \t\"'()[]{}<>,;|/\\@=&?!#$%^*+~`\u0000\u0001\u00a0是，\ufffd"),
    minLength: 1,
    maxLength: 5,
  });
  const noise = fc.constantFrom("", "GET", "12:34:56", "1.2.3", "x_y", "256.1.2.3", "a-b.example", "99");

  test("finds each address between any separators and other words, in order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, separators, address, separators), { maxLength: 4 }), (parts) => {
        const text = parts.map((part) => part.join("")).join(" ");
        expect(findAll(text)).toEqual(parts.map(([, , one]) => parseAddress(one)?.text ?? ""));
      }),
    );
  });

  test("never invents an address: each is spelled in the text, between characters that end a word or a label", () => {
    const unit = fc.constantFrom(
      ..."0123456789abcfgxz.:-_[] ",
      "192.0.2.1",
      "::",
      "2001:db8::1",
      "255",
      "1.2.3.",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        for (let at = 0; ; ) {
          const found = findAddress(text, at);
          if (found === undefined) return;
          const word = text.slice(found.start, found.end);
          expect(word).toMatch(/^[\w.:-]+$/);
          expect(`${text[found.start - 1] ?? " "}${text[found.end] ?? " "}`).toMatch(/^[^\w.:-]{2}$/);
          const spelled = [...word.matchAll(/(?=([0-9a-f:.]+))/g)].flatMap(([, run = ""]) =>
            Array.from({ length: run.length }, (_, cut) => run.slice(0, run.length - cut)),
          );
          const texts = spelled.map((spelling) => parseAddress(spelling)?.text);
          expect(texts).toContain(found.address.text);
          expect(found.address).toEqual(readAddress(found.address.text));
          at = found.end;
        }
      }),
      { numRuns: 300 },
    );
  });

  test("reads an IPv4 spelling exactly as parseAddress() does", () => {
    const octet = fc.oneof(fc.nat(300).map(String), fc.constantFrom("00", "0", "", "255", "256", "08"));
    fc.assert(
      fc.property(fc.array(octet, { minLength: 3, maxLength: 5 }), (octets) => {
        const text = octets.join(".");
        const bare = text.endsWith(".") ? text.slice(0, -1) : text;
        expect(findAddress(text)?.address).toEqual(parseAddress(text) ?? parseAddress(bare));
      }),
    );
  });

  test("takes time in proportion to the text, whatever it is", () => {
    const start = performance.now();
    for (const piece of [
      ":",
      ".",
      "1",
      "1.",
      "a:",
      "1:",
      "g:",
      "::1 ",
      `${"g:".repeat(127)} `,
      "1.2.3.4.5 ",
    ]) {
      findAddress(piece.repeat(Math.ceil(300_000 / piece.length)));
    }
    expect(performance.now() - start).toBeLessThan(4000);
  });
});

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
    expect(performance.now() - start).toBeLessThan(2000);
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
