import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { wrapText } from "../../../src/render/text/wrap.ts";
import WRAPPED from "../../fixtures/render/wrapped.json";
import { measureCells } from "../measure_cells.ts";

/** A text, the width of its column, and its lines. */
type Wrapped = readonly [text: string, width: number, lines: string[]];

describe("wrapText", () => {
  test.each(Object.entries(WRAPPED as object as Readonly<Record<string, readonly Wrapped[]>>))(
    "%s",
    (_, rows) => {
      for (const [text, width, lines] of rows) expect(wrapText(text, width)).toEqual(lines);
    },
  );

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

  test("breaks no date, no time and no name with a hyphen", () => {
    const names = ["2026-08-22", "06:17:37", "ip-api.com", "OAI-SearchBot", "UTC\u22125", "ASN-DROP"];
    const words = fc.constantFrom(...names, "查询于", "，", "the", "data of", "（", "）");
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.integer({ min: 20, max: 70 }), (parts, width) => {
        const text = parts.join(" ");
        const lines = wrapText(text, width);
        for (const name of names)
          expect(lines.flatMap((line) => line.split(name).slice(1)).length).toBe(text.split(name).length - 1);
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
