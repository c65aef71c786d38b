import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { wrapText } from "../../../src/render/text/wrap.ts";
import { measureCells } from "../measure_cells.ts";

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

  test("handles the punctuation of both languages", () => {
    expect(wrapText("甲乙丙「丁」戊", 8)).toEqual(["甲乙丙", "「丁」戊"]);
    expect(wrapText("甲乙丙丁……戊", 8)).toEqual(["甲乙丙", "丁……戊"]);
    expect(wrapText("见 https://a.example，甲", 18)).toEqual(["见", "https://a.exampl", "e，甲"]);
    expect(wrapText("甲乙 ，丙", 5)).toEqual(["甲", "乙 ，", "丙"]);
    expect(wrapText("命中 3 个名单", 7)).toEqual(["命中", "3 个名", "单"]);
    expect(wrapText("用于 IPv4/IPv6 地址", 12)).toEqual(["用于", "IPv4/IPv6 地", "址"]);
  });

  test("leaves no single ideograph on the last line of a wide column", () => {
    const text = `${"一".repeat(17)}。`;
    expect(wrapText(text, 34)).toEqual(["一".repeat(15), "一一。"]);
    expect(wrapText("一".repeat(18), 34)).toEqual(["一".repeat(15), "一一一"]);
    expect(wrapText("一".repeat(20), 34)).toEqual(["一".repeat(17), "一一一"]);
    expect(wrapText("一二三四五", 4)).toEqual(["一二", "三四", "五"]);
  });

  test("counts emoji two and marks none", () => {
    expect(wrapText("😀😀😀😀", 4)).toEqual(["😀😀", "😀😀"]);
    expect(wrapText("e\u0301e\u0301e\u0301e\u0301e\u0301", 4)).toEqual([
      "e\u0301e\u0301e\u0301e\u0301",
      "e\u0301",
    ]);
  });

  test("keeps combining marks with their letter", () => {
    expect(wrapText("aaae\u0301", 4)).toEqual(["aaae\u0301"]);
  });

  test("never exceeds the width and loses nothing but blanks", () => {
    const unit = fc.constantFrom(
      ...["a", "b", "1", " ", "中", "文", "，", "（", "）", "。", "e\u0301", "-", ".", "…", "😀", "”", "“"],
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 120 }), fc.integer({ min: 4, max: 40 }), (text, width) => {
        const lines = wrapText(text, width);
        for (const line of lines) {
          expect(measureCells(line)).toBeLessThanOrEqual(width);
          expect(line).toBe(line.trim());
        }
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
    );
  });

  test("starts no line with a closing mark and ends none with an opening one", () => {
    const words = fc.constantFrom("中文", "，", "（", "）", "。", "IPv4", " ", "地址：", "「甲」", "12 个");
    fc.assert(
      fc.property(fc.array(words, { maxLength: 40 }), fc.integer({ min: 30, max: 70 }), (parts, width) => {
        // Piles of marks that leave no place to break are cut like any word that is too long.
        const text = parts.join("").replace(/([，（）。：」])[，（）。：「」 ]+/gu, "$1");
        const lines = wrapText(text, width);
        for (const line of lines.slice(1)) expect(line).not.toMatch(/^[，。、：）」]/u);
        for (const line of lines.slice(0, -1)) expect(line).not.toMatch(/[（「]$/u);
      }),
      { numRuns: 500 },
    );
  });
});
