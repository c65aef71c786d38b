import { describe, expect, test } from "bun:test";
import { displayWidth } from "../../src/render/characters.ts";
import { sanitize } from "../../src/render/sanitize.ts";
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
