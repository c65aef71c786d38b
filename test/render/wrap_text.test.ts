import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { wrapText } from "../../src/render/wrap_text.ts";
import { measureCells } from "./measure_cells.ts";

describe("wrapText", () => {
  test("breaks between words and cuts only what cannot fit", () => {
    expect(wrapText("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrapText("a bbbbbbbbbb c", 4)).toEqual(["a", "bbbb", "bbbb", "bb c"]);
    expect(wrapText("", 10)).toEqual([""]);
    expect(wrapText("  spaced   out  ", 20)).toEqual(["spaced out"]);
  });

  test("breaks between ideographs, not before closing or after opening punctuation", () => {
    expect(wrapText("一二三四五", 4)).toEqual(["一二", "三四", "五"]);
    expect(wrapText("一二三，四", 6)).toEqual(["一二", "三，四"]);
    expect(wrapText("一二（三）", 6)).toEqual(["一二", "（三）"]);
    expect(wrapText("一二IPv4地址", 8)).toEqual(["一二IPv4", "地址"]);
  });

  test("keeps combining marks with their letter", () => {
    expect(wrapText("aaae\u0301", 4)).toEqual(["aaae\u0301"]);
  });

  test("never exceeds the width and loses nothing but blanks", () => {
    const unit = fc.constantFrom("a", "b", " ", "中", "文", "，", "（", "）", "。", "e\u0301", "-", ".");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 120 }), fc.integer({ min: 4, max: 40 }), (text, width) => {
        const lines = wrapText(text, width);
        for (const line of lines) expect(measureCells(line)).toBeLessThanOrEqual(width);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
    );
  });
});
