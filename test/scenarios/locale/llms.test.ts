import { describe, expect, test } from "bun:test";
import { formatLlms } from "#locale";
import { LANGUAGES, type Language } from "#report";
import LOCALE from "../../fixtures/locale.json";
import { matchGoldenFormat } from "../../render/golden_reports.ts";

const LIMITS = {
  lookupsPerMinute: 31,
  newPerMinute: 11,
  refreshPerMinute: 7,
  openPerDay: 6,
  openPerMinute: 17,
  parameters: [{ name: "ip", description: "One address." }],
};

function write(language: Language): string {
  return formatLlms({ origin: "https://limpid.example", ...LIMITS }, language);
}

describe("formatLlms()", () => {
  test.each([...LANGUAGES])("is in %s as in its golden file", (language) => {
    matchGoldenFormat(`llms.${language}.txt`, write(language));
  });

  test.each([...LANGUAGES])("follows the order of the convention in %s", (language) => {
    const lines = write(language).split("\n");
    expect(lines[0]).toBe("# limpid");
    expect(lines.filter((line) => line.startsWith("# "))).toHaveLength(1);
    expect(lines[2]).toStartWith("> ");
    const first = lines.findIndex((line) => line.startsWith("## "));
    expect(lines.slice(0, first).some((line) => /^#{2,}/.test(line))).toBe(false);
    const rest = lines.slice(first).filter((line) => line !== "");
    for (const line of rest)
      expect(line).toMatch(/^(?:## \S|- \[[^\]]+\]\(https:\/\/limpid\.example\/[^)]+\): \S)/);
    expect(rest.findLast((line) => line.startsWith("## "))).toBe("## Optional");
    expect(write(language)).toEndWith("\n");
  });

  test.each([...LANGUAGES])("states the limits in force and every endpoint in %s", (language) => {
    const text = write(language);
    for (const limit of Object.values(LIMITS)) expect(text).toMatch(new RegExp(`(?<!\\d)${limit}(?!\\d)`));
    for (const part of LOCALE.llms) {
      expect(text).toContain(part);
    }
  });

  test("has the same links and numbers in both languages", () => {
    expect(write("en")).toContain('No signals is not "safe".');
    expect(write("zh")).toContain("未见风险不等于安全。");
    expect(write("en").replace("[中文]", "")).not.toMatch(/\p{Script=Han}/u);
    const linksOf = (text: string) => (text.match(/^- \[/gm) ?? []).length;
    expect(linksOf(write("en"))).toBe(linksOf(write("zh")));
    const reportTextsOf = (text: string) =>
      new Set(text.match(/`[^`]+`/g)?.filter((word) => !word.includes("http")));
    for (const word of reportTextsOf(write("zh"))) expect(write("en")).toContain(word);
  });
});
