import { describe, expect, test } from "bun:test";
import { findAll, findFirst, isMistake } from "../../../src/cli/batch/find_in_line.ts";
import WORDS from "../../fixtures/line_words.json";

describe("findFirst and findAll", () => {
  test.each(WORDS.addresses as [string, string[]][])("find the addresses of %j", (text, addresses) => {
    expect(findAll(text).map((one) => one.text)).toEqual(addresses);
    expect(findFirst(text)?.text).toEqual(addresses[0]);
  });
});

describe("isMistake", () => {
  test.each(WORDS.mistakes)("is true of %j", (text) => expect(isMistake(text)).toBe(true));

  test.each(WORDS.noMistakes)("is false of %j", (text) => expect(isMistake(text)).toBe(false));
});
