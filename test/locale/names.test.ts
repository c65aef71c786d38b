import { expect, test } from "bun:test";
import { nameCountry, nameCountryInSentence } from "#locale";
import { renderReportPage, renderText } from "#render";
import { SOURCES } from "#sources";
import CHINESE_NAMES from "../../src/locale/zh/source_names.json";
import { fullReport } from "../render/full_reports.ts";
import { ARCHETYPES, type ArchetypeId } from "../scoring/archetypes.ts";

const names = Object.keys(CHINESE_NAMES);

test("every name with a Chinese form is the name of a source", () => {
  const known = new Set(SOURCES.map(({ name }) => name));
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test("no Chinese report has the English form of a name, and no English report the Chinese one", () => {
  for (const id of Object.keys(ARCHETYPES) as ArchetypeId[])
    for (const filling of ["heard", "failing"] as const)
      for (const language of ["zh", "en"] as const) {
        const report = fullReport(id, language, filling);
        const texts = [JSON.stringify(report), renderText(report), renderReportPage(report)].join("\n");
        const others = language === "zh" ? names : Object.values(CHINESE_NAMES);
        expect(
          others.filter((name) => texts.includes(name)),
          `${id} ${language}`,
        ).toEqual([]);
      }
});

test("nameCountry names a country in both languages", () => {
  expect(nameCountry("JP", "en")).toBe("Japan");
  expect(nameCountry("JP", "zh")).toBe("日本");
  expect(nameCountry("JP", "en")).toBe("Japan");
});

test("nameCountryInSentence puts the article before the English name that has one", () => {
  expect(nameCountryInSentence("NL", "en")).toBe("the Netherlands");
  expect(nameCountryInSentence("NL", "zh")).toBe("荷兰");
  expect(nameCountryInSentence("JP", "en")).toBe("Japan");
});

test("nameCountry returns anything that is not a country unchanged", () => {
  for (const code of ["", "jp", "ZZ", "QQ", "JPN", "1", "__proto__", "constructor", "<b>", "\u202eJP"]) {
    expect(nameCountry(code, "en")).toBe(code);
    expect(nameCountry(code, "zh")).toBe(code);
  }
});
