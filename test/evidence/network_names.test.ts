import { describe, expect, test } from "bun:test";
import { classifyName } from "../../src/evidence/network_names.ts";
import NAMES from "../fixtures/evidence/names.json" with { type: "json" };

describe("classifyName()", () => {
  test.each(NAMES.named as [string, string][])("reads %p as %p", (name, use) => {
    expect<string | undefined>(classifyName(name)).toBe(use);
  });

  test.each(NAMES.unnamed)("finds no kind in %p", (name) => {
    expect(classifyName(name)).toBeUndefined();
  });

  test("reads only the beginning of a long name", () => {
    expect(classifyName(`${"a ".repeat(90)}hosting`)).toBe("hosting");
    expect(classifyName(`${"a ".repeat(100)}hosting`)).toBeUndefined();
  });
});
