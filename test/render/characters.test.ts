import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { displayWidth, sanitize } from "../../src/render/characters.ts";
import TEXTS from "../fixtures/texts.json";
import { measureCells } from "./measure_cells.ts";

describe("displayWidth", () => {
  test("counts as terminals do", () => {
    expect(displayWidth("")).toBe(0);
    expect(displayWidth("IPv6 2001:db8::1")).toBe(16);
    expect(displayWidth("纯净度：")).toBe(8);
    expect(displayWidth("Ａ")).toBe(2);
    expect(displayWidth("😀🚀")).toBe(4);
    expect(displayWidth("é e\u0301 … —")).toBe(7);
    expect(displayWidth("한국 ｱ")).toBe(6);
    expect(displayWidth("𠮷")).toBe(2);
  });

  test("agrees with the independent measure on every character that is shown as it is", () => {
    const differing: string[] = [];
    for (let code = 0x20; code < 0x32000; code++) {
      const character = String.fromCodePoint(code);
      if (sanitize(character) === character && displayWidth(character) !== measureCells(character))
        differing.push(code.toString(16));
    }
    expect(differing).toEqual([]);
  });
});

test("sanitize shows invisible characters as code points", () => {
  expect(sanitize("a\u001b[2Jb")).toBe("a\\u{1b}[2Jb");
  expect(sanitize("\u202edrow\u200b\ud800\u{e0041}\u00ad")).toBe(
    "\\u{202e}drow\\u{200b}\\u{d800}\\u{e0041}\\u{ad}",
  );
  for (const blank of ["\u00a0", "\u3000", "\u2028", "\t", "\n"]) expect(sanitize(`a${blank}b`)).toBe("a b");
  expect(sanitize("one\r\n\ttwo\u2028three\u00a0\u3000four")).toBe("one two three four");
});

test("sanitize keeps ordinary names", () => {
  for (const name of TEXTS.names) {
    expect(sanitize(name)).toBe(name);
  }
});

test("sanitize limits the length and the number of combining marks", () => {
  expect(sanitize("x".repeat(5000))).toHaveLength(2003);
  expect(sanitize(`e${"\u0301".repeat(50)}`)).toBe(`e${"\u0301".repeat(4)}`);
});

test("sanitize leaves no invisible character and is idempotent", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const shown = sanitize(text);
      expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      expect(shown.replaceAll(" ", "")).not.toMatch(/\p{Z}/u);
      expect(sanitize(shown)).toBe(shown);
    }),
    { numRuns: 500 },
  );
});

test("sanitize treats each character by itself", () => {
  for (const character of TEXTS.invisible) {
    const seen = `\\u{${character.codePointAt(0)?.toString(16)}}`;
    expect(sanitize(`a${character}b`)).toBe(character === "\u0085" ? "a b" : `a${seen}b`);
    expect(sanitize(`中${character}b`)).toBe(character === "\u0085" ? "中 b" : `中${seen}b`);
  }
});
