import { expect, test } from "bun:test";
import { nameCountry } from "#locale";

test("nameCountry names a country in both languages", () => {
  expect(nameCountry("JP", "en")).toBe("Japan");
  expect(nameCountry("JP", "zh")).toBe("日本");
  expect(nameCountry("JP", "en")).toBe("Japan");
});

test("nameCountry returns anything that is not a country unchanged", () => {
  for (const code of ["", "jp", "ZZ", "QQ", "JPN", "1", "__proto__", "constructor", "<b>", "\u202eJP"]) {
    expect(nameCountry(code, "en")).toBe(code);
    expect(nameCountry(code, "zh")).toBe(code);
  }
});
